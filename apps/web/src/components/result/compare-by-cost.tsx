import { costInstead } from "@rigmark/results/cost-scenario";
import { useWords } from "@/lib/words";
import { Command } from "../ui/command";

interface CompareByCostProps {
  run: Parameters<typeof costInstead>[0];
  /** Where a click makes a new run of it; without it the command stands. */
  from?: { workspace: string; runId: string };
}

/** Where the tool was the bottleneck: how to compare the servers all the same. */
export function CompareByCost({ run, from }: CompareByCostProps) {
  const w = useWords();
  const instead = costInstead(run);
  if (!instead) return null;
  const query = new URLSearchParams([
    ...(from ? [["from", from.runId]] : []),
    ...instead.scenarios.map((id) => ["scenario", id]),
  ]);
  return (
    <div className="max-w-[70ch] space-y-2" data-compare-by-cost>
      <p className="text-ink-2">{w.t("report.cost.instead")}</p>
      {from ? (
        // A plain link: a report has this component, too, and needs no router.
        <a className="btn whitespace-normal" href={`/w/${from.workspace}/runs/new?${query}`}>
          {w.t("report.cost.newRun", { scenarios: w.join(instead.scenarios) })}
        </a>
      ) : (
        <Command text={instead.command} label={w.t("report.cost.label")} />
      )}
    </div>
  );
}
