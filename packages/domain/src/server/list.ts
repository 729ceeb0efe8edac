import type { ServerListItem } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { type Known, knownServers } from "./internal/known";

/** Every server that a host of the workspace knows, by title. */
export async function listServers({ ctx, input }: Call<{ workspace: string }>): Promise<ServerListItem[]> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const byName = new Map<string, Known[]>();
  for (const known of await knownServers(ctx, workspaceId)) {
    const { name } = known.definition;
    byName.set(name, [...(byName.get(name) ?? []), known]);
  }
  const items = [...byName.values()].flatMap((on): ServerListItem[] => {
    const [newest] = on;
    if (!newest) return [];
    const { name, title, language, summary, license, workloads } = newest.definition;
    const supported = on.filter((k) => k.definition.supported).length;
    return [{ name, title, language, summary, license, workloads, hosts: { total: on.length, supported } }];
  });
  return items.sort((a, b) => a.title.localeCompare(b.title) || a.name.localeCompare(b.name));
}
