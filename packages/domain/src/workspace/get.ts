import type { WorkspaceView } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { UNKNOWN } from "../internal/access";
import { listWorkspaces } from "./list";

export async function getWorkspace({ ctx, input }: Call<{ workspace: string }>): Promise<WorkspaceView> {
  const [found] = await listWorkspaces({ ctx, input: { slug: input.workspace } });
  if (!found) throw new DomainError("not_found", UNKNOWN);
  return found;
}
