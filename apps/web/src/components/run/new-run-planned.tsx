import { formatDuration } from "@rigmark/metrics";
import type { RunOptions } from "@rigmark/results";
import { blockRange, blocksInWords } from "@rigmark/results/blocks";
import { claimsOf, plannedRange } from "@rigmark/results/planned";
import { problemsOf, type RunForm, scenariosOf, toSpec } from "@/lib/new-run";
import { plural } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { useNow } from "../ui/time-ago";

/** How long it would take, before it is queued. */
export function PlannedDuration({ form, options }: { form: RunForm; options: RunOptions }) {
  const now = useNow(15_000);
  const scenarios = scenariosOf(form, options);
  const problems = problemsOf(form, options);
  const ready =
    form.entries.length > 0 &&
    scenarios.length > 0 &&
    !problems.repeats &&
    !problems.precision &&
    !problems.most &&
    !problems.duration &&
    !problems.warmup &&
    !form.scenarios.some((id) => problems[`scenario-${id}`]);
  const claims = claimsOf(options.servers);
  const spec = toSpec(form, () => 0, options);
  const planned = ready ? plannedRange(spec, scenarios, claims) : null;
  const pairs = scenarios.reduce(
    (sum, s) => sum + form.entries.filter((e) => claims(e.server, s.workload)).length,
    0,
  );
  const all = form.entries.length * scenarios.length;
  const { least, most } = blockRange(spec);
  const trials =
    least === most ? plural(pairs * least, "trial") : `${pairs * least} to ${plural(pairs * most, "trial")}`;
  return (
    <section className="border-line border-y py-3">
      {/* Without what goes by the clock: only a change of the form is read aloud. */}
      <div aria-live="polite" aria-atomic="true">
        <p className="text-ink-2">Planned duration</p>
        <p className="font-semibold text-[1.25rem]">
          {planned ? `${formatDuration(planned.min_s)} – ${formatDuration(planned.max_s)}` : "–"}
        </p>
      </div>
      {planned && (
        <p className="text-[0.929rem] text-ink-2">
          {now === null
            ? "\u00a0"
            : `If it starts now, it ends by ${formatMoment(new Date(now + planned.max_s * 1000).toISOString())}.`}
        </p>
      )}
      <p className="text-[0.929rem] text-ink-2">
        {planned
          ? `${trials}: ${plural(form.entries.length, "entry", "entries")} × ${plural(scenarios.length, "scenario")} × ${blocksInWords(spec)}. ${pairs < all ? `Left out: ${plural(all - pairs, "pair")} of entry and scenario, because the server does not claim the workload. ` : ""}The longer time includes cold builds.`
          : "Choose servers and scenarios to see it."}
      </p>
    </section>
  );
}
