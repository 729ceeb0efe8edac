import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { enterWorkspace, requirePerson } from "../../internal/access";
import type { Launcher, LauncherNote } from "../../launcher/index";

export interface NetworkRequest {
  workspace: string;
  /** Of the machine that the app runs on; null where no launcher started it. */
  launcher: Launcher | null;
  /** Whether whoever asks is at that machine, and not behind a proxy. */
  atThisMachine: boolean;
}

/**
 * The installation belongs to the owners of its first workspace, where others may have workspaces of their own; and only
 * who is at the machine changes whom it lets in.
 */
export async function mayAsk(ctx: Ctx, { workspace, atThisMachine }: NetworkRequest): Promise<string | null> {
  requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, workspace, "openNetwork");
  const home = await ctx.db.prisma.workspace.findFirst({
    where: { workspace_id: workspaceId, home: true },
    select: { workspace_id: true },
  });
  if (!home)
    return "Only an owner of the workspace that ./rig up created can do this; open “Add a host” there.";
  if (!atThisMachine)
    return "Do this on the machine that runs the app: there, open http://127.0.0.1 with the port of the app.";
  return null;
}

/** The note of a launcher that takes this very request now. */
export async function requireLauncher(
  ctx: Ctx,
  asked: NetworkRequest,
  action: LauncherNote["may"],
): Promise<{ launcher: Launcher; note: LauncherNote }> {
  const refusal = await mayAsk(ctx, asked);
  if (refusal) throw new DomainError("forbidden", refusal);
  const note = (await asked.launcher?.note()) ?? null;
  if (!asked.launcher || !note)
    throw new DomainError(
      "state",
      "This needs a ./rig up that runs in the foreground; start the app with ./rig up --network instead.",
    );
  if (note.may !== action)
    throw new DomainError(
      "state",
      action === "open"
        ? "The app is already open to the network: it was opened before, or started with --listen or PUBLIC_URL."
        : "The app already listens on this machine only.",
    );
  return { launcher: asked.launcher, note };
}
