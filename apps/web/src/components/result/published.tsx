import { formatQuantity } from "@rigmark/metrics";
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
              <th scope="col">Note</th>
            </tr>
          </thead>
          <tbody>
            {suite.published.map((p) => (
              <tr key={`${p.scenario} ${p.server} ${p.requests_per_s} ${p.latency_us}`}>
                <th scope="row">
                  {plainLine(scenarios.find((s) => s.id === p.scenario)?.title ?? p.scenario)}
                </th>
                <td>{plainLine(p.server)}</td>
                <td data-align="right">{formatQuantity(p.requests_per_s, "per_s")}</td>
                <td data-align="right">{formatQuantity(p.latency_us, "us")}</td>
                <td className="wrap">{p.note ? plainText(p.note) : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
