import { formatQuantity, type Unit } from "@rigmark/metrics";
import type { Scenario, Suite } from "@rigmark/protocol";
import { plainLine, plainText } from "@/lib/text";

/** The figures of the report that a suite repeats: another machine, to compare the shape with, and folded away. */
export function PublishedFigures({ suite, scenarios }: { suite: Suite; scenarios: readonly Scenario[] }) {
  if (!suite.source || suite.published.length === 0) return null;
  return (
    <details>
      <summary>
        As published: {plainLine(suite.source.title)}, {plainLine(suite.source.machine)}
      </summary>
      <p className="mt-1 max-w-[80ch] text-ink-2">
        Taken by others on another machine. They are here to compare who wins where, and are in no ranking.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll-x panel mt-2" tabIndex={0} aria-label="Published figures">
        <table className="grid-table" data-sticky>
          <caption className="sr-only">Published figures</caption>
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              <th scope="col">Server</th>
              <th scope="col" data-align="right">
                Rate
              </th>
              <th scope="col" data-align="right">
                Mean latency
              </th>
            </tr>
          </thead>
          <tbody>
            {suite.published.map((p) => (
              <tr key={`${p.scenario} ${p.server} ${p.requests_per_s} ${p.latency_us}`}>
                <th scope="row">
                  {plainLine(scenarios.find((s) => s.id === p.scenario)?.title ?? p.scenario)}
                </th>
                <td className="wrap">
                  {plainLine(p.server)}
                  {p.note && <span className="note-line">{plainText(p.note)}</span>}
                </td>
                <Figure value={p.requests_per_s} unit="per_s" />
                <Figure value={p.latency_us} unit="us" />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function Figure({ value, unit }: { value: number | null; unit: Unit }) {
  return (
    <td data-align="right">
      {formatQuantity(value, unit)}
      {value === null && <span className="note-line">not published</span>}
    </td>
  );
}
