import type { ServerView } from "@rigmark/results";
import Link from "next/link";
import { plainLine, plainText } from "@/lib/text";
import { ConformanceList } from "../result/conformance-list";
import { Empty } from "../ui/empty";
import { Facts } from "../ui/facts";
import { PageHead } from "../ui/page-head";
import { BestResults } from "./best-results";
import { ServerHosts } from "./server-hosts";

interface ServerPageProps {
  workspace: string;
  server: ServerView;
  mayQueue: boolean;
}

/** What a server is, where it builds, and the best that was measured of it. */
export function ServerPage({ workspace, server, mayQueue }: ServerPageProps) {
  const options = Object.entries(server.options);
  return (
    <>
      <PageHead title={<bdi>{plainLine(server.title)}</bdi>}>
        <p className="max-w-[80ch]">{plainText(server.summary)}</p>
      </PageHead>
      <div className="space-y-8">
        <section>
          <h2 className="sr-only">About</h2>
          <Facts
            rows={[
              ["Name", <code key="n">{server.name}</code>],
              ["Language", plainLine(server.language)],
              ["Workloads", server.workloads.join(", ") || null],
              ["License", plainLine(server.license)],
              [
                "Options",
                options.length === 0
                  ? "none"
                  : options
                      .map(([name, o]) => `${plainLine(name)} ${o.min} to ${o.max}, ${o.default} unless set`)
                      .join("; "),
              ],
            ]}
          />
        </section>
        <section>
          <h2 className="mb-2">Hosts</h2>
          <ServerHosts workspace={workspace} hosts={server.hosts} />
        </section>
        {server.conformance.length > 0 && (
          <section>
            <h2>Conformance</h2>
            <p className="mb-2 max-w-[80ch] text-ink-2">
              How the server handles what HTTP and the contract require beyond what a load sends, from the
              newest run. Failures here do not exclude a server.
            </p>
            <ConformanceList rows={server.conformance.map((of) => ({ name: of.label, of }))} />
          </section>
        )}
        <section>
          <h2>Best verified results</h2>
          <p className="mb-2 max-w-[80ch] text-ink-2">
            The best run for each scenario and host. Figures are medians of the valid trials; the server was
            verified before and after each trial. Scenarios without a figure that counts are left out. A dash
            (–) means that the load has no such figure, or that the host or the tool does not report it.
          </p>
          {server.best.length > 0 ? (
            <BestResults workspace={workspace} server={server} />
          ) : (
            <Empty
              title="Not measured yet"
              action={
                mayQueue && (
                  <Link className="btn" href={`/w/${workspace}/runs/new`}>
                    New run
                  </Link>
                )
              }
            >
              Results appear here once a run with this server has succeeded.
            </Empty>
          )}
        </section>
      </div>
    </>
  );
}
