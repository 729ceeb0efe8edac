import type { Environment } from "@rigmark/protocol";

/** One thing that is not the same in two environments, in words. */
export type Difference = { name: string; a: string; b: string };

type Field = { id: string; name: string; value: string | null };

const number = (value: number | null): string | null => (value === null ? null : String(value));
const onOff = (value: boolean | null): string | null => (value === null ? null : value ? "on" : "off");

/**
 * What has to be the same for two runs to be comparable. The agent hashes the same list (`apps/agent/src/host/fingerprint.rs`,
 * where it says what is left out and why); both are held to `packages/protocol/golden/environment-differences.json`.
 */
const fields = ({ facts, sandboxed, core_split, tools }: Environment): Field[] => {
  const field = (id: string, name: string, value: string | null): Field => ({ id, name, value });
  const mhz = facts.cpu_max_khz === null ? null : `${Math.round(facts.cpu_max_khz / 1000)} MHz`;
  const gib = facts.memory_bytes === null ? null : `${Math.round(facts.memory_bytes / 2 ** 30)} GiB`;
  return [
    field("cpu_model", "CPU", facts.cpu_model),
    field("board", "board", facts.board),
    field("arch", "architecture", facts.arch),
    field("cpus_online", "CPUs in use", number(facts.cpus_online)),
    field("cores_physical", "physical cores", number(facts.cores_physical)),
    field("smt", "two threads a core (SMT)", onOff(facts.smt)),
    field("cpu_max", "highest frequency", mhz),
    field("memory", "memory", gib),
    field("os", "system", facts.os),
    field("os_name", "distribution", facts.os_name),
    field("kernel", "kernel", facts.kernel),
    field("governor", "CPU governor", facts.governor),
    field("turbo", "turbo", onOff(facts.turbo)),
    field("virtualization", "virtualization", facts.virtualization),
    field("thp", "transparent huge pages", facts.thp),
    field("aslr", "address space randomization", number(facts.aslr)),
    field("nofile", "most open files", number(facts.nofile_hard)),
    field("compiler", "compiler", facts.compiler),
    field("agent", "agent", facts.agent_version.split(".").slice(0, 2).join(".")),
    field("sandboxed", "network namespace for each trial", onOff(sandboxed)),
    field("core_split", "cores of server and tool", core_split),
    ...Object.entries(facts.mitigations ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, state]) => field(`mitigation:${name}`, `mitigation of ${name}`, state)),
    ...tools.map((tool) => field(`tool:${tool.name}`, `load tool ${tool.name}`, tool.version)),
  ];
};

/** Text of which the fingerprint is the sha256: keys in byte order, no white space. */
export const canonical = (environment: Environment): string => {
  const sorted = fields(environment).sort((a, b) => (a.id < b.id ? -1 : 1));
  return JSON.stringify({ fields: Object.fromEntries(sorted.map((f) => [f.id, f.value])), schema: 1 });
};

/** In the order of the list; empty exactly when the fingerprints of both are equal. */
export const differences = (a: Environment, b: Environment): Difference[] => {
  const byId = (environment: Environment) => new Map(fields(environment).map((f) => [f.id, f]));
  const [ours, theirs] = [byId(a), byId(b)];
  const words = (id: string, field: Field | undefined) =>
    field?.value ?? (field === undefined && id.startsWith("tool:") ? "not used" : "unknown");
  return [...new Map([...ours, ...theirs]).keys()].flatMap((id) => {
    const [left, right] = [ours.get(id), theirs.get(id)];
    if (left && right && left.value === right.value) return [];
    return [{ name: (left ?? right)?.name ?? id, a: words(id, left), b: words(id, right) }];
  });
};
