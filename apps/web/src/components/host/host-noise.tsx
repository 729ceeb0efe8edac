import { formatQuantity } from "@rigmark/metrics";
import type { HostCalibration, HostFacts, HostNoise } from "@rigmark/protocol";
import { calibratedWith, calibrationInWords, noiseInWords, percent } from "@rigmark/results/noise-words";
import type { ReactNode } from "react";
import type { TermId } from "@/docs/terms";
import { plainLine, plural } from "@/lib/text";
import { Command } from "../ui/command";
import { MaybeTerm, Term } from "../ui/term";
import { TimeAgo } from "../ui/time-ago";

type Part = HostNoise["parts"][number];

const PARTS: Record<Part["id"], [title: string, what: string, term?: TermId]> = {
  compute: ["Compute", "spread of equal pieces of work"],
  memory: ["Memory", "spread of equal copies"],
  disk: ["Disk", "a small fsync, 99th percentile"],
  scheduler: ["Scheduler", "a timer’s delay, 99th percentile"],
  steal: ["Steal", "taken by the hypervisor", "steal"],
};
const WORDS = { ok: "quiet", warn: "noisy", fail: "too noisy", unknown: "unknown" } as const;
const LAMPS = { ok: "good", warn: "warn", fail: "bad", unknown: undefined } as const;

const at = (wallUs: number): string => new Date(wallUs / 1000).toISOString();

/** What doctor measured of the host's noise. */
export function HostNoisePanel({ noise }: { noise: HostNoise | null }) {
  if (!noise)
    return (
      <Unmeasured command="rigmark doctor" label="On the host">
        The noise of this host has not been measured. Run doctor to measure it in a few seconds.
      </Unmeasured>
    );
  return (
    <>
      <p>
        <span className="font-medium">{noiseInWords(noise)}</span>
        <span className="text-ink-2">
          , measured <TimeAgo at={at(noise.measured_wall_us)} />
        </span>
      </p>
      <ul className="mt-2 divide-y divide-line">
        {noise.parts.map((part) => {
          const [title, what, term] = PARTS[part.id];
          return (
            <li
              key={part.id}
              className="grid grid-cols-[6.5rem_minmax(0,1fr)_auto] items-baseline gap-x-4 py-1.5"
            >
              <span className="inline-flex items-center gap-1.5 text-[0.929rem]">
                <span className="lamp" data-on={LAMPS[part.status]} aria-hidden="true" />
                {WORDS[part.status]}
              </span>
              <span>
                <MaybeTerm id={term}>{title}</MaybeTerm> <span className="text-ink-2">{what}</span>
              </span>
              <span className="tabular-nums">{formatQuantity(part.value, part.unit)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** What differences the host can show, as an A/A test showed. */
export function HostCalibrationPanel({ facts }: { facts: HostFacts }) {
  const { calibration } = facts;
  // The agent leaves a calibration out when the host is no longer what it was; its doctor says which of the two it is.
  const stale = facts.checks.some((c) => c.id === "calibration" && c.status === "warn");
  if (!calibration)
    return (
      <Unmeasured command="rigmark calibrate" label="On the host">
        {stale ? (
          "The host’s kernel, settings or tools have changed since it was calibrated. Calibrate it again."
        ) : (
          <>
            It is not known yet which differences this host can show. Run an{" "}
            <Term id="a-a-test">A/A test</Term> (a few minutes).
          </>
        )}
      </Unmeasured>
    );
  return <Calibrated calibration={calibration} />;
}

function Calibrated({ calibration }: { calibration: HostCalibration }) {
  return (
    <>
      <p className="font-medium">{calibrationInWords(calibration)}</p>
      <p className="text-ink-2">
        {plainLine(calibratedWith(calibration))}: the server’s ratio to itself varies from block to block by{" "}
        {percent(calibration.sd_log_ratio)} (standard deviation). Measured{" "}
        <TimeAgo at={at(calibration.measured_wall_us)} />.
      </p>
      <table className="grid-table mt-2">
        <caption className="sr-only">
          The smallest true difference that gets a verdict in four of five runs
        </caption>
        <thead>
          <tr>
            <th scope="col">Run of</th>
            <th scope="col" data-align="right">
              Shows differences of at least
            </th>
          </tr>
        </thead>
        <tbody>
          {calibration.smallest.map(({ blocks, difference }) => (
            <tr key={blocks}>
              <th scope="row">{plural(blocks, "block")}</th>
              <td data-align="right">{percent(difference)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1 text-[0.929rem] text-ink-2">
        For two servers, in four of five runs. The noise can differ for other loads.
      </p>
    </>
  );
}

function Unmeasured({ command, label, children }: { command: string; label: string; children: ReactNode }) {
  return (
    <>
      <p className="mb-2 text-ink-2">{children}</p>
      <Command label={label} text={command} />
    </>
  );
}
