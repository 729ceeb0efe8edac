import { formatBound, formatQuantity, formatRate, METRICS } from "@rigmark/metrics";
import type { ServerBest, ServerView } from "@rigmark/results";
import { latencyBound } from "@rigmark/results/ranking";
import Link from "next/link";
import { loadInWords } from "@/lib/load-words";
import { plainLine, plural } from "@/lib/text";
import { useWords } from "@/lib/words";
import { ScrollBox } from "../ui/scroll-box";

/** A table a workload; throughput where the load is a closed loop, p99 where the rate is fixed. */
export function BestResults({ workspace, server }: { workspace: string; server: ServerView }) {
  const workloads = [...new Set(server.best.map((b) => b.workload))];
  const now = new Map(server.hosts.map((h) => [h.host_id, h.content_hash]));
  return (
    <div className="space-y-4">
      {workloads.map((workload) => (
        <section key={workload}>
          <h3 className="mb-1">{workload}</h3>
          <ScrollBox label={`Best results of ${workload}`} className="panel" tall>
            <table className="grid-table" data-sticky>
              <caption className="sr-only">Best results of {workload}</caption>
              <thead>
                <tr>
                  <th scope="col">Scenario</th>
                  <th scope="col">Host</th>
                  <th scope="col" data-align="right" title={METRICS.requests_per_s.meaning}>
                    Rate
                  </th>
                  <th scope="col" data-align="right" title={METRICS.latency_p99_us.meaning}>
                    p99 at a fixed rate
                  </th>
                  <th scope="col" data-align="right" title={METRICS.server_cpu_us_per_request.meaning}>
                    CPU per request
                  </th>
                  <th scope="col" data-align="right" title={METRICS.server_rss_peak_bytes.meaning}>
                    Peak memory
                  </th>
                  <th scope="col">Run</th>
                </tr>
              </thead>
              <tbody>
                {server.best
                  .filter((b) => b.workload === workload)
                  .map((b) => (
                    <BestRow
                      key={`${b.scenario} ${b.host.host_id}`}
                      best={b}
                      workspace={workspace}
                      current={now.get(b.host.host_id) === b.content_hash}
                    />
                  ))}
              </tbody>
            </table>
          </ScrollBox>
        </section>
      ))}
    </div>
  );
}

function BestRow({ best, workspace, current }: { best: ServerBest; workspace: string; current: boolean }) {
  const w = useWords();
  const fixed = best.load.kind === "rate";
  const options = Object.entries(best.options).map(([k, v]) => `${plainLine(k)} ${v}`);
  return (
    <tr>
      <th scope="row" className="min-w-[min(40vw,15rem)]">
        {plainLine(best.title)}
        <span className="note-line">
          {best.tool}, {loadInWords(w, best.load)}
        </span>
      </th>
      <td>
        <bdi>{plainLine(best.host.name)}</bdi>
      </td>
      <td data-align="right">{formatRate(best.requests_per_s, best.lower_bound)}</td>
      <td data-align="right">{fixed ? formatBound(best.p99_us, "us", latencyBound(best)) : "–"}</td>
      <td data-align="right">
        {formatQuantity(best.cpu_us_per_request, "us")}
        {best.cpu_us_per_request === null && best.load.kind === "knee" && (
          <span className="note-line" title={w.t("figure.searchHasNoCpu")}>
            {w.t("figure.searchHasNoCpuShort")}
          </span>
        )}
      </td>
      <td data-align="right">{formatQuantity(best.rss_peak_bytes, "bytes")}</td>
      <td className="wrap">
        <Link
          className="link"
          prefetch={false}
          href={`/w/${workspace}/runs/${best.run_id}?scenario=${encodeURIComponent(best.scenario)}`}
        >
          <bdi>{plainLine(best.run_title) || best.run_id.slice(0, 8)}</bdi>
        </Link>
        <span className="note-line">
          {[
            best.finished_at && `${best.finished_at.slice(0, 10)} UTC`,
            plural(best.trials, "trial"),
            ...options,
            current ? null : "another version",
          ]
            .filter(Boolean)
            .join(", ")}
        </span>
      </td>
    </tr>
  );
}
