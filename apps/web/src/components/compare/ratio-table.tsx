"use client";

import type { ComparedRun } from "@rigmark/results";
import { comparedPath } from "@/lib/compare-path";
import type { Compared } from "@/lib/results/compared";
import { ratioCell } from "@/lib/results/ratio-cell";
import { styleAt } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { SeriesGlyph } from "../chart/glyph";
import { ScrollBox } from "../ui/scroll-box";
import { Text } from "../ui/text";

interface RatioTableProps {
  workspace: string;
  of: Compared;
  /** What tells where each run is. */
  runs: Pick<ComparedRun, "run_id" | "report">[];
}

/** Scenario and run down, entries across: each cell the ratio to the baseline of its run, colored by its verdict. */
export function RatioTable({ workspace, of: { hosts, series, changed, scenarios }, runs }: RatioTableProps) {
  const w = useWords();
  const hrefOf = (place: number, scenario: string): string | undefined => {
    const run = runs[place];
    return run && comparedPath(workspace, run, scenario);
  };
  return (
    <ScrollBox label="Ratios to the baseline of each run" className="panel" tall>
      <table className="grid-table" data-sticky data-heat>
        <caption className="sr-only">Ratios to the baseline of each run</caption>
        <thead>
          <tr>
            <th scope="col">Scenario and run</th>
            {series.map((name, place) => (
              <th key={`${place} ${name}`} scope="col" data-align="right">
                <SeriesGlyph style={styleAt(place)} /> <bdi>{plainLine(name)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {scenarios.flatMap((scenario) =>
            scenario.rows.map((row, place) => (
              <tr
                key={`${scenario.scenario} ${scenario.metric} ${row.run}`}
                data-first={place === 0 || undefined}
              >
                <th scope="row">
                  {place === 0 && (
                    <span className="block font-medium">
                      <Text text={w.title(plainLine(scenario.title))} />
                    </span>
                  )}
                  <a className="link font-normal" href={hrefOf(row.run, scenario.scenario)}>
                    Run {row.run + 1}
                  </a>{" "}
                  <bdi className="font-normal text-ink-2">{plainLine(hosts[row.run] ?? "")}</bdi>
                </th>
                {row.cells.map((cell, column) => {
                  const shown = ratioCell(w, scenario.metric, row.cells, column, changed[column]?.[row.run]);
                  const { figure, note } = cell?.chosen ?? { figure: shown.figure, note: null };
                  return (
                    <td key={`${column} ${series[column]}`} data-align="right" {...shown.heat}>
                      <span className="font-medium">{shown.ratio}</span>
                      {shown.interval && <span className="note-line">{shown.interval}</span>}
                      {shown.words && (
                        <span className="note-line ml-auto max-w-[14rem] whitespace-normal">
                          <Text text={shown.words} />
                        </span>
                      )}
                      {figure && <span className="note-line">{figure}</span>}
                      {note && (
                        <span className="note-line ml-auto max-w-[14rem] whitespace-normal">
                          <Text text={note} />
                        </span>
                      )}
                      {shown.doubt && (
                        <span className="note-line ml-auto max-w-[14rem] whitespace-normal">
                          <Text text={shown.doubt} />
                        </span>
                      )}
                      {shown.changed && <span className="note-line">{shown.changed}</span>}
                    </td>
                  );
                })}
              </tr>
            )),
          )}
        </tbody>
      </table>
    </ScrollBox>
  );
}
