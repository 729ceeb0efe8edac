import type { WorkspaceView } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { listWorkspaces } from "./list";

export async function getWorkspace({ ctx, input }: Call<{ workspace: string }>): Promise<WorkspaceView> {
  const [found] = await listWorkspaces({ ctx, input: { slug: input.workspace } });
  if (!found) throw new DomainError("not_found", "There is no such workspace, or you do not belong to it.");
  return found;
}
