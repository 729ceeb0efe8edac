import { formatQuantity } from "@rigmark/metrics";
import type { HostFacts } from "@rigmark/protocol";
import { plainLine } from "@/lib/text";
import { Mitigations } from "../result/mitigations";
import { Facts } from "../ui/facts";

const line = (value: string | null): string | null => (value === null ? null : plainLine(value));
const yesNo = (value: boolean | null): string | null => (value === null ? null : value ? "on" : "off");

/** A row only where the owner allows it: no run can ask for it otherwise. */
const tuning = (tune: HostFacts["tune"]): [string, string][] =>
  tune
    ? [
        [
          "Tuning by runs",
          [`allowed: ${tune.sets.join(", ") || "nothing can be set"}`, ...tune.missing]
            .map(plainLine)
            .join("; "),
        ],
      ]
    : [];

/** A row only where the owner wrote such a file. */
const ownerRules = (rules: HostFacts["owner_rules"]): [string, string][] =>
  rules ? [["Owner's rules", rules.map(plainLine).join("; ") || "nothing is forbidden"]] : [];

/** The facts that a number depends on. */
export function HostFactsList({ facts }: { facts: HostFacts }) {
  return (
    <Facts
      columns={1}
      rows={[
        ["CPU", line(facts.cpu_model)],
        [
          "Cores",
          facts.cpus_online === null
            ? null
            : `${facts.cpus_online} online, ${facts.cores_physical ?? "unknown"} physical`,
        ],
        [
          "Highest CPU frequency",
          facts.cpu_max_khz === null ? null : formatQuantity(facts.cpu_max_khz * 1000, "hz"),
        ],
        ["Memory", facts.memory_bytes === null ? null : formatQuantity(facts.memory_bytes, "bytes")],
        ["Board", line(facts.board)],
        ["System", line(facts.os_name ?? facts.os)],
        ["Kernel", line(facts.kernel)],
        ["Architecture", facts.arch],
        ["Virtualization", line(facts.virtualization)],
        ["Governor", line(facts.governor)],
        ["Turbo", yesNo(facts.turbo)],
        [
          "Temperature",
          facts.temperature_millic === null
            ? null
            : formatQuantity(facts.temperature_millic / 1000, "celsius"),
        ],
        ["Throttle flags", facts.throttle_flags === null ? null : `0x${facts.throttle_flags.toString(16)}`],
        [
          "Open files",
          facts.nofile_soft === null
            ? null
            : `${facts.nofile_soft} soft, ${facts.nofile_hard ?? "unknown"} hard`,
        ],
        ["Compiler", line(facts.compiler)],
        [
          "Sandbox",
          facts.unsandboxed_reason === null
            ? "own network namespace for each trial"
            : `none: ${plainLine(facts.unsandboxed_reason)}`,
        ],
        ...tuning(facts.tune),
        ...ownerRules(facts.owner_rules),
        ["Agent", `${plainLine(facts.agent_version)}, ${plainLine(facts.agent_target)}`],
        [
          "Mitigations",
          facts.mitigations === null ? null : <Mitigations key="m" known={facts.mitigations} />,
        ],
      ]}
    />
  );
}
