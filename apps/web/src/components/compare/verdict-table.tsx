import type { ComparisonView } from "@rigmark/results";
import { verdictCounts } from "@/lib/results/verdict-counts";
import { styleAt } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { SeriesGlyph } from "../chart/glyph";
import { ScrollBox } from "../ui/scroll-box";

/** Fewer comparisons than this are read from the table below as quickly. */
const LEAST = 4;

/** All verdicts in one place: how often each entry is better and worse than the baseline. */
export function VerdictTable({ comparison }: { comparison: ComparisonView }) {
  const counts = verdictCounts(comparison);
  const all = counts.reduce((sum, c) => sum + c.faster + c.slower + c.even + c.none, 0);
  if (all < LEAST) return null;
  return (
    <ScrollBox label="Verdicts of each entry" className="panel">
      <table className="grid-table" data-heat>
        <caption className="sr-only">How often each entry is better or worse than the baseline</caption>
        <thead>
          <tr>
            <th scope="col">Entry</th>
            {["Better", "Worse", "No difference", "No verdict"].map((title) => (
              <th key={title} scope="col" data-align="right">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {counts.map(({ place, faster, slower, even, none }) => (
            <tr key={place}>
              <th scope="row">
                <SeriesGlyph style={styleAt(place)} />{" "}
                <bdi>{plainLine(comparison.series[place]?.name ?? "")}</bdi>
              </th>
              <td data-align="right" data-heat={faster > 0 ? "faster" : "none"}>
                {faster}
              </td>
              <td data-align="right" data-heat={slower > 0 ? "slower" : "none"}>
                {slower}
              </td>
              <td data-align="right">{even}</td>
              <td data-align="right">{none}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
