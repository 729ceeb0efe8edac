import type { Words } from "@rigmark/messages";
import type { PlanEntry, RunSpec, Scenario } from "@rigmark/protocol";

/** The servers that come with Rigmark; the agent gives their names to no others. Held against servers/ by a test. */
export const BUNDLED_SERVERS: readonly string[] = [
  "asm",
  "axum",
  "dufs",
  "epoll",
  "go",
  "io-uring",
  "libuv",
  "netty",
  "nginx",
  "nginx-lua",
  "sockudo-ws",
  "spring-mvc",
];

interface Repeated {
  spec: Pick<RunSpec, "entries">;
  entries: readonly Pick<PlanEntry, "label" | "revision">[];
  scenarios: readonly Pick<Scenario, "id" | "workload" | "http">[];
}

/**
 * What the command that repeats a run names and Rigmark does not bring, as a sentence; null where it brings everything. `clean`
 * makes an agent's text ready for a page. Without schemas: the page of a run in the browser needs it.
 */
export function neededOf(
  w: Words,
  { spec, entries, scenarios }: Repeated,
  clean: (text: string) => string = (text) => text,
): string | null {
  const own = scenarios.filter(({ workload }) => workload === "http");
  const files = own.flatMap(({ id, http }) => [`${id.replace(/:.*/, "")}.toml`, http?.script?.name ?? ""]);
  const folders: string[] = [];
  const cloned: string[] = [];
  const changed: string[] = [];
  for (const { label, server, revision: asked } of spec.entries) {
    const measured = entries.find((entry) => entry.label === label)?.revision;
    // The command names it by its folder in the repository.
    if (asked === undefined && measured?.folder !== undefined) cloned.push(label);
    else if (asked !== undefined || measured || !BUNDLED_SERVERS.includes(server)) folders.push(server);
    if (measured?.dirty) changed.push(label);
  }
  const parts = [
    ["files", files],
    ["folders", folders],
    ["repository", cloned],
    ["changes", changed],
  ] as const;
  const list = parts.flatMap(([what, all]) => {
    const names = [...new Set(all)].filter(Boolean).map((name) => w.name(clean(name)));
    return names.length > 0 ? [w.t(`report.repeat.needs.${what}`, { list: w.list(names) })] : [];
  });
  return list.length > 0 ? w.t("report.repeat.needed", { list: list.join(w.t("ui.semicolon")) }) : null;
}
