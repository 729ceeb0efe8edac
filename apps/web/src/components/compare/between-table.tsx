"use client";

import { verdictOf } from "@rigmark/messages";
import type { BetweenTwoRuns, ComparedScenario } from "@rigmark/results";
import { type Columns, rowsOf } from "@/lib/columns";
import { changesInWords } from "@/lib/results/entry-changes";
import { heatOf } from "@/lib/results/heat";
import { styleAt } from "@/lib/series-style";
import { useWords } from "@/lib/words";
import { SeriesGlyph } from "../chart/glyph";
import { ScrollBox } from "../ui/scroll-box";
import { HistoryOf } from "./history-of";

/** What a cell shows of a pair. Its elements would be several times as large on their way to the browser. */
export type PairInTable = Pick<BetweenTwoRuns, "series" | "label" | "a" | "b" | "verdict"> & {
  estimate: number | null;
  low: number | null;
  high: number | null;
  changed: BetweenTwoRuns["changed"] | null;
};

interface BetweenTableProps {
  workspace: string;
  scenario: string;
  /** Run by run; null where no host is known. */
  hostIds: (string | null)[];
  /** Of the series, by place. */
  names: string[];
  /** In the order in which their runs stand. */
  pairs: Columns<PairInTable> | null;
  metric: ComparedScenario["metric"];
  label: string;
}

/** Runs down, entries across: what changed since the oldest run, colored by its verdict. For more pairs than anybody reads one by one. */
export function BetweenTable({
  workspace,
  scenario,
  hostIds,
  names,
  pairs,
  metric,
  label,
}: BetweenTableProps) {
  const w = useWords();
  const between = rowsOf(pairs);
  const shown = names.flatMap((name, place) =>
    between.some((pair) => pair.series === place) ? [{ name, place }] : [],
  );
  const rows = new Map<string, PairInTable[]>();
  for (const pair of between) {
    const key = `${pair.b} ${pair.a}`;
    rows.set(key, [...(rows.get(key) ?? []), pair]);
  }
  return (
    <ScrollBox label={label} className="panel" tall>
      <table className="grid-table" data-sticky data-heat>
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Runs</th>
            {shown.map(({ name, place }) => (
              <th key={place} scope="col" data-align="right">
                <SeriesGlyph style={styleAt(place)} /> <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows].map(([key, ofRuns]) => (
            <tr key={key}>
              <th scope="row" className="font-normal">
                Run {(ofRuns[0]?.b ?? 0) + 1} against {(ofRuns[0]?.a ?? 0) + 1}
              </th>
              {shown.map(({ place }) => {
                const pair = ofRuns.find((each) => each.series === place);
                const hostId = hostIds[pair?.b ?? -1];
                const {
                  estimate = null,
                  low = null,
                  high = null,
                  verdict = null,
                  changed = null,
                } = pair ?? {};
                return (
                  <td key={place} data-align="right" {...heatOf(verdict, estimate)}>
                    {estimate === null ? "–" : w.bound(estimate, "factor", null)}
                    {low !== null && high !== null && (
                      <span className="note-line">{w.interval({ low, high }, null)}</span>
                    )}
                    {verdict && <span className="note-line">{verdictOf(w, verdict, metric)}</span>}
                    {changed && <span className="note-line">{changesInWords(w, changed)}</span>}
                    {pair && hostId && (
                      <span className="note-line">
                        <HistoryOf {...{ workspace, hostId, scenario }} label={pair.label} />
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
