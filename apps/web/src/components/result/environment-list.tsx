import { formatNumber, formatQuantity } from "@rigmark/metrics";
import type { Environment } from "@rigmark/protocol";
import { calibrationOfReport, noiseInWords } from "@rigmark/results/noise-words";
import { plainLine } from "@/lib/text";
import { Facts } from "../ui/facts";
import { Mitigations } from "./mitigations";

const line = (value: string | null): string | null => (value === null ? null : plainLine(value));

const onOff = (value: boolean | null): string | null => (value === null ? null : value ? "on" : "off");

/** The environment is part of the result. */
export function EnvironmentList({ environment }: { environment: Environment }) {
  const { facts, tools } = environment;
  return (
    <Facts
      rows={[
        [
          "Fingerprint",
          environment.fingerprint ? (
            <code key="f" title={`${environment.fingerprint}: sha256 over all that has to be the same`}>
              {environment.fingerprint.slice(0, 12)}
            </code>
          ) : null,
          "fingerprint",
        ],
        ["CPU", line(facts.cpu_model)],
        [
          "Cores",
          facts.cpus_online === null
            ? null
            : `${facts.cpus_online} online, ${facts.cores_physical ?? "unknown"} physical`,
        ],
        ["Fastest clock", facts.cpu_max_khz === null ? null : formatQuantity(facts.cpu_max_khz * 1000, "hz")],
        ["Memory", facts.memory_bytes === null ? null : formatQuantity(facts.memory_bytes, "bytes")],
        ["Board", line(facts.board)],
        ["System", line(facts.os_name ?? facts.os)],
        ["Kernel", line(facts.kernel)],
        ["Architecture", facts.arch],
        ["Virtualization", line(facts.virtualization)],
        ["Governor", line(facts.governor)],
        ["Turbo", onOff(facts.turbo)],
        ["Threads a core", facts.smt === null ? null : facts.smt ? "two (SMT)" : "one"],
        ["Huge pages", line(facts.thp)],
        ["Address space", facts.aslr === null ? null : facts.aslr === 0 ? "not randomized" : "randomized"],
        ["Cores split", line(environment.core_split)],
        [
          "Tuned",
          environment.tuned.length === 0
            ? "nothing"
            : environment.tuned
                .map((t) => `${plainLine(t.name)}: ${plainLine(t.during)} (was ${plainLine(t.before)})`)
                .join("; "),
        ],
        [
          "Temperature",
          facts.temperature_millic === null
            ? null
            : formatQuantity(facts.temperature_millic / 1000, "celsius"),
        ],
        ["Load before", environment.load1_before === null ? null : formatNumber(environment.load1_before)],
        ["Noise", noiseInWords(facts.noise) ?? "not measured", "noise-score"],
        ["Calibration", plainLine(calibrationOfReport(facts.calibration)), "smallest-visible-difference"],
        ["Sandbox", environment.sandboxed ? "own network namespace for each trial" : "unsandboxed"],
        [
          "Control plane",
          environment.control_plane_same_host === null
            ? "none"
            : environment.control_plane_same_host
              ? "on the same host"
              : "on another host",
        ],
        [
          "Open files",
          facts.nofile_soft === null
            ? null
            : `${facts.nofile_soft} soft, ${facts.nofile_hard ?? "unknown"} hard`,
        ],
        ["Compiler", line(facts.compiler)],
        [
          "Tools",
          tools
            .map((t) => `${t.name} ${t.version ? plainLine(t.version) : "of unknown version"}`)
            .join(", ") || null,
        ],
        ["Agent", `${plainLine(facts.agent_version)}, ${plainLine(facts.agent_target)}`],
        [
          "Mitigations",
          facts.mitigations === null ? null : <Mitigations key="m" known={facts.mitigations} />,
        ],
      ]}
    />
  );
}
