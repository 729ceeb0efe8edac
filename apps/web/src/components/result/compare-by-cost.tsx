import { COST_INSTEAD, costInstead } from "@rigmark/results/cost-scenario";
import Link from "next/link";
import { Command } from "../ui/command";

interface CompareByCostProps {
  run: Parameters<typeof costInstead>[0];
  /** Where a click makes a new run of it; without it the command stands. */
  from?: { workspace: string; runId: string };
}

/** Where the tool was the limit: how to compare the servers all the same. */
export function CompareByCost({ run, from }: CompareByCostProps) {
  const instead = costInstead(run);
  if (!instead) return null;
  const query = new URLSearchParams([
    ...(from ? [["from", from.runId]] : []),
    ...instead.scenarios.map((id) => ["scenario", id]),
  ]);
  return (
    <div className="max-w-[70ch] space-y-2" data-compare-by-cost>
      <p className="text-ink-2">{COST_INSTEAD}</p>
      {from ? (
        <Link className="btn" href={`/w/${from.workspace}/runs/new?${query}`}>
          New run with {instead.scenarios.join(", ")}
        </Link>
      ) : (
        <Command text={instead.command} label="Command that compares by processor time" />
      )}
    </div>
  );
}
