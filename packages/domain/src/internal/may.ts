import { ACTIONS, type Action, ROLES, type Role, type Scope } from "@rigmark/results";

/** Each may all that those before it may. */
const RANKS: readonly Role[] = ["viewer", "member", "admin", "owner"];

/** Who may do what in a workspace: the least role, and the scope that a token needs besides. To others, only published reports and badges are open. */
export const MAY: Readonly<Record<Action, { role: Role; scope: Scope }>> = {
  read: { role: "viewer", scope: "read" },
  queue: { role: "member", scope: "queue" },
  publish: { role: "member", scope: "publish" },
  deleteRuns: { role: "admin", scope: "admin" },
  manageHosts: { role: "admin", scope: "admin" },
  manageTokens: { role: "admin", scope: "admin" },
  manageWebhooks: { role: "admin", scope: "admin" },
  manageMembers: { role: "admin", scope: "admin" },
  readAudit: { role: "admin", scope: "admin" },
  exportWorkspace: { role: "admin", scope: "admin" },
  renameWorkspace: { role: "admin", scope: "admin" },
  openNetwork: { role: "owner", scope: "admin" },
  deleteWorkspace: { role: "owner", scope: "admin" },
};

export const may = (role: Role, action: Action): boolean =>
  RANKS.indexOf(role) >= RANKS.indexOf(MAY[action].role);

export const actionsOf = (role: Role): Action[] => ACTIONS.filter((action) => may(role, action));

/** Owners change everybody; admins those below them. Asked of the role that somebody has and of the one that they get. */
export const mayChange = (own: Role, other: Role): boolean =>
  may(own, "manageMembers") && (own === "owner" || RANKS.indexOf(other) < RANKS.indexOf(own));

/** The roles that somebody may give, the most powerful first. */
export const rolesToGive = (own: Role): Role[] => ROLES.filter((role) => mayChange(own, role));

/** What somebody is told whose role is too low. */
export const refusalFor = (action: Action): string =>
  MAY[action].role === "owner"
    ? "Only an owner of the workspace can do this; ask an owner."
    : MAY[action].role === "admin"
      ? "Only an admin or an owner of the workspace can do this; ask one of them."
      : "Your role here is viewer, so you can change nothing. Ask an admin or an owner of the workspace for another role.";
