import { calibrationOf, noiseOf, type Words } from "@rigmark/messages";
import { formatNumber } from "@rigmark/metrics";
import type { Environment } from "@rigmark/protocol";
import { percent } from "@rigmark/results/noise-words";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Facts } from "../ui/facts";
import { Mitigations } from "./mitigations";

const lineIn = (w: Words, value: string | null): string | null =>
  value === null ? null : w.name(plainLine(value));

/** The environment is part of the result. */
export function EnvironmentList({ environment }: { environment: Environment }) {
  const w = useWords();
  const t = (key: string, values?: Record<string, string | number>) =>
    w.t(`report.environment.${key}`, values);
  const line = (value: string | null) => lineIn(w, value);
  const { facts, tools } = environment;
  return (
    <Facts
      rows={[
        [
          t("fingerprint"),
          environment.fingerprint ? (
            <code key="f" title={t("fingerprintHint", { hash: environment.fingerprint })}>
              {environment.fingerprint.slice(0, 12)}
            </code>
          ) : null,
          "fingerprint",
        ],
        [t("cpu"), line(facts.cpu_model)],
        [
          t("cores"),
          facts.cpus_online === null
            ? null
            : t("coresLine", {
                online: facts.cpus_online,
                physical: facts.cores_physical ?? w.t("ui.unknown"),
              }),
        ],
        [t("clock"), facts.cpu_max_khz === null ? null : w.quantity(facts.cpu_max_khz * 1000, "hz")],
        [t("memory"), facts.memory_bytes === null ? null : w.quantity(facts.memory_bytes, "bytes")],
        [t("board"), line(facts.board)],
        [t("system"), line(facts.os_name ?? facts.os)],
        [t("kernel"), line(facts.kernel)],
        [t("architecture"), line(facts.arch)],
        [t("virtualization"), line(facts.virtualization)],
        [t("governor"), line(facts.governor)],
        [t("turbo"), facts.turbo === null ? null : t(facts.turbo ? "on" : "off")],
        [t("smt"), facts.smt === null ? null : t(facts.smt ? "two" : "one")],
        [t("hugePages"), line(facts.thp)],
        [t("aslr"), facts.aslr === null ? null : t(facts.aslr === 0 ? "notRandomized" : "randomized")],
        [t("split"), environment.core_split === null ? null : w.field(plainLine(environment.core_split))],
        [
          t("tuned"),
          environment.tuned.length === 0
            ? t("nothing")
            : environment.tuned
                .map(({ name, during, before }) =>
                  w.name(
                    t("tunedLine", {
                      name: plainLine(name),
                      during: plainLine(during),
                      before: plainLine(before),
                    }),
                  ),
                )
                .join(w.t("ui.semicolon")),
        ],
        [
          t("temperature"),
          facts.temperature_millic === null ? null : w.quantity(facts.temperature_millic / 1000, "celsius"),
        ],
        [t("loadBefore"), environment.load1_before === null ? null : formatNumber(environment.load1_before)],
        [t("noise"), noiseOf(w, facts.noise) ?? t("notMeasured"), "noise-score"],
        [t("calibration"), calibrationOf(w, facts.calibration, percent), "smallest-visible-difference"],
        [t("sandbox"), t(environment.sandboxed ? "sandboxed" : "unsandboxed")],
        [
          t("controlPlane"),
          environment.control_plane_same_host === null
            ? t("none")
            : environment.control_plane_same_host
              ? t("sameHost")
              : t("otherHost"),
        ],
        [
          t("openFiles"),
          facts.nofile_soft === null
            ? null
            : t("filesLine", { soft: facts.nofile_soft, hard: facts.nofile_hard ?? w.t("ui.unknown") }),
        ],
        [t("compiler"), line(facts.compiler)],
        [
          t("tools"),
          tools
            .map(({ name, version }) =>
              version ? w.name(`${name} ${plainLine(version)}`) : t("toolUnknown", { name }),
            )
            .join(w.t("ui.comma")) || null,
        ],
        [t("agent"), w.name(`${plainLine(facts.agent_version)}, ${plainLine(facts.agent_target)}`)],
        [
          t("mitigations"),
          facts.mitigations === null ? null : <Mitigations key="m" known={facts.mitigations} />,
        ],
      ]}
    />
  );
}
