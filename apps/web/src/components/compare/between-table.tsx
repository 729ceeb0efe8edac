import { verdictOf } from "@rigmark/messages";
import type { BetweenTwoRuns, ComparedScenario, ComparisonView } from "@rigmark/results";
import { styleAt } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { SeriesGlyph } from "../chart/glyph";
import { ScrollBox } from "../ui/scroll-box";

interface BetweenTableProps {
  series: ComparisonView["series"];
  scenario: ComparedScenario;
  label: string;
}

const TONES = {
  faster: "faster",
  slower: "slower",
  "no-difference": "even",
  "not-comparable": "none",
} as const;

/** Runs down, entries across: what changed since the first run, colored by its verdict. For more pairs than anybody reads one by one. */
export function BetweenTable({ series, scenario, label }: BetweenTableProps) {
  const { between } = scenario;
  const shown = series.flatMap(({ name }, place) =>
    between.some((pair) => pair.series === place) ? [{ name, place }] : [],
  );
  const rows = new Map<string, BetweenTwoRuns[]>();
  for (const pair of [...between].sort((x, y) => x.b - y.b || x.a - y.a)) {
    const key = `${pair.b} ${pair.a}`;
    rows.set(key, [...(rows.get(key) ?? []), pair]);
  }
  return (
    <ScrollBox label={label} className="panel">
      <table className="grid-table" data-sticky data-heat>
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Runs</th>
            {shown.map(({ name, place }) => (
              <th key={place} scope="col" data-align="right">
                <SeriesGlyph style={styleAt(place)} /> <bdi>{plainLine(name)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows].map(([key, pairs]) => (
            <tr key={key}>
              <th scope="row" className="font-normal">
                Run {(pairs[0]?.b ?? 0) + 1} against {(pairs[0]?.a ?? 0) + 1}
              </th>
              {shown.map(({ place }) => (
                <Cell
                  key={place}
                  pair={pairs.find((pair) => pair.series === place)}
                  metric={scenario.metric}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Cell({ pair, metric }: { pair: BetweenTwoRuns | undefined; metric: ComparedScenario["metric"] }) {
  const w = useWords();
  const ratio = pair?.ratio?.estimate ?? pair?.ratio_of_medians ?? null;
  return (
    <td data-align="right" data-heat={pair?.verdict ? TONES[pair.verdict] : "none"}>
      {ratio === null ? "–" : w.bound(ratio, "factor", null)}
      {pair?.ratio && <span className="note-line">{w.interval(pair.ratio, null)}</span>}
      {pair?.verdict && <span className="note-line">{verdictOf(w, pair.verdict, metric)}</span>}
    </td>
  );
}
