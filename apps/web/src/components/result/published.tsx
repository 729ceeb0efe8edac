import { formatQuantity, type Unit } from "@rigmark/metrics";
import type { Scenario, Suite } from "@rigmark/protocol";
import { plainLine, plainText } from "@/lib/text";
import { useWords } from "@/lib/words";
import { ScrollBox } from "../ui/scroll-box";
import { Text } from "../ui/text";

/** The figures of the report that a suite repeats: another machine, to compare the shape with, and folded away. */
export function PublishedFigures({ suite, scenarios }: { suite: Suite; scenarios: readonly Scenario[] }) {
  const w = useWords();
  if (!suite.source || suite.published.length === 0) return null;
  return (
    <details>
      <summary>
        <Text
          text={w.t("figure.overview.published", {
            title: w.name(plainLine(suite.source.title)),
            machine: w.name(plainLine(suite.source.machine)),
          })}
        />
      </summary>
      <p className="mt-1 max-w-[80ch] text-ink-2">{w.t("figure.overview.publishedNote")}</p>
      <ScrollBox label={w.t("figure.overview.publishedFigures")} className="panel mt-2">
        <table className="grid-table" data-sticky>
          <caption className="sr-only">{w.t("figure.overview.publishedFigures")}</caption>
          <thead>
            <tr>
              <th scope="col">{w.t("figure.scenario")}</th>
              <th scope="col">{w.t("figure.overview.server")}</th>
              <th scope="col" data-align="right">
                {w.t("figure.rate")}
              </th>
              <th scope="col" data-align="right">
                {w.t("figure.publishedLatency")}
              </th>
            </tr>
          </thead>
          <tbody>
            {suite.published.map((p) => (
              <tr key={`${p.scenario} ${p.server} ${p.requests_per_s} ${p.latency_us}`}>
                <th scope="row">
                  <Text
                    text={w.title(plainLine(scenarios.find((s) => s.id === p.scenario)?.title ?? p.scenario))}
                  />
                </th>
                <td className="wrap">
                  <Text text={w.name(plainLine(p.server))} />
                  {p.note && (
                    <span className="note-line">
                      <Text text={w.name(plainText(p.note))} />
                    </span>
                  )}
                </td>
                <Figure value={p.requests_per_s} unit="per_s" />
                <Figure value={p.latency_us} unit="us" />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </details>
  );
}

function Figure({ value, unit }: { value: number | null; unit: Unit }) {
  const w = useWords();
  return (
    <td data-align="right">
      {formatQuantity(value, unit)}
      {value === null && <span className="note-line">{w.t("figure.overview.notPublished")}</span>}
    </td>
  );
}
