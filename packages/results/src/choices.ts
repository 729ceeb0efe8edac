/** What people choose from, with its words. Browsers read this, so no schemas are here: those are made of it in `view/`. */

export const ROLES = ["owner", "admin", "member", "viewer"] as const;

/** One line for each role, for whoever gives one. */
export const ROLE_WORDS: Record<(typeof ROLES)[number], string> = {
  owner: "Do everything, including changing the roles of admins and owners and deleting the workspace.",
  admin: "Manage hosts, tokens, webhooks, invitations, members and viewers.",
  member: "Queue and change runs, make and revoke reports.",
  viewer: "See everything, change nothing.",
};

/** What can be done in a workspace, as roles permit it. The domain says which role may what. */
export const ACTIONS = [
  "read",
  "queue",
  "publish",
  "deleteRuns",
  "manageHosts",
  "manageTokens",
  "manageWebhooks",
  "manageMembers",
  "readAudit",
  "renameWorkspace",
  "exportWorkspace",
  "openNetwork",
  "deleteWorkspace",
] as const;

/** What a token may do. `queue` and `publish` include `read`; `admin` includes all. */
export const SCOPES = ["read", "queue", "publish", "admin"] as const;
type Scope = (typeof SCOPES)[number];

/** One line for each scope, for whoever chooses. */
export const SCOPE_WORDS: Record<Scope, string> = {
  read: "See hosts, runs, results and reports.",
  queue: "Queue and cancel runs, make and revoke reports. Includes read.",
  publish: "Publish runs that were measured elsewhere. Includes read.",
  admin: "All of the above. Later versions of the API may let it do more, such as removing hosts.",
};

/** Whether a token with these scopes has that one. */
export const hasScope = (scopes: readonly Scope[], wanted: Scope): boolean =>
  scopes.includes("admin") || scopes.includes(wanted) || (wanted === "read" && scopes.length > 0);

/** Days that a token may live; it may also have no end. */
export const TOKEN_DAYS = [30, 90, 365] as const;

/** Who can read a report: members who are signed in, whoever has the link, or besides everybody who looks in Explore. */
export const REPORT_VISIBILITIES = ["private", "link", "public"] as const;
/** How long a report may be read. */
export const REPORT_DAYS = [7, 30, 90] as const;

/** Webhooks of one workspace, and characters of an address. */
export const MOST_WEBHOOKS = 5;
export const MOST_URL = 500;

/** What an agent is built for, in the order in which `./rig up --network` builds them; what goes first can be chosen. */
export const RELEASE_TARGETS = [
  "aarch64-unknown-linux-musl",
  "x86_64-unknown-linux-musl",
  "armv7-unknown-linux-gnueabihf",
  "aarch64-apple-darwin",
  "x86_64-apple-darwin",
] as const;

/** What the log of a workspace records. */
export const AUDIT_WHATS = [
  "invitation-created",
  "invitation-revoked",
  "invitation-accepted",
  "role-changed",
  "member-removed",
  "member-left",
  "host-key-created",
  "host-enrolled",
  "host-renamed",
  "host-revoked",
  "token-created",
  "token-revoked",
  "webhook-created",
  "webhook-deleted",
  "runs-deleted",
  "runs-restored",
  "report-revoked",
  "report-access-changed",
  "badge-created",
  "badge-deleted",
  "workspace-created",
  "workspace-renamed",
  "retention-changed",
  "workspace-exported",
  "workspace-deleted",
  "workspace-restored",
] as const;

/** The verb of the sentence that begins with who did it and ends with to what. */
export const AUDIT_WORDS: Record<(typeof AUDIT_WHATS)[number], string> = {
  "invitation-created": "invited",
  "invitation-revoked": "revoked the invitation of",
  "invitation-accepted": "joined as",
  "role-changed": "changed the role of",
  "member-removed": "removed the member",
  "member-left": "left the workspace",
  "host-key-created": "created a key for a new host",
  "host-enrolled": "enrolled the host",
  "host-renamed": "renamed a host to",
  "host-revoked": "revoked the host",
  "token-created": "created the token",
  "token-revoked": "revoked the token",
  "webhook-created": "created a webhook to",
  "webhook-deleted": "deleted the webhook to",
  "runs-deleted": "deleted",
  "runs-restored": "restored",
  "report-revoked": "revoked the report",
  "report-access-changed": "changed who can read the report",
  "badge-created": "created a badge of",
  "badge-deleted": "deleted the badge of",
  "workspace-created": "created the workspace",
  "workspace-renamed": "renamed the workspace to",
  "retention-changed": "changed the retention of runs to",
  "workspace-exported": "exported the workspace",
  "workspace-deleted": "deleted the workspace",
  "workspace-restored": "restored the workspace",
};
