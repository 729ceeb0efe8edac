import type { Scenario, Suite } from "@rigmark/protocol";

const INTRO = `# Suites

Five published benchmark reports are why Rigmark exists. Each is a suite: its servers and its loads as they were published, with
what the original got wrong mended. A sixth is for a first look. This page is made from the data in \`packages/scenarios\`; a test
keeps both the same.

## How to run one

\`\`\`sh
rigmark suites                                # what there is, how long it takes, what is missing here and why
rigmark run --suite websocket --quick         # five short blocks: does all of it work, and is anything far apart?
rigmark run --suite websocket                 # the suite's own seconds and blocks
rigmark run --suite websocket --duration 60s --repeats 10
rigmark run --suite websocket --server mine=./my-server --server axum
\`\`\`

In the browser: *New run*, then choose the suite.

- A server that this host cannot build and a scenario whose tool is missing are **left out**: the run says so when it begins and
  keeps the reason among its labels. Only where nothing is left does the command end, with exit code 77.
  What was not chosen in the browser has such a label too, and where the server that all are compared with is left out, a label names the one in its place.
- A server is measured under the scenarios whose workload it claims. The others are not planned, and a label says which.
- \`--server\` takes the place of the suite's servers; \`--duration\`, \`--warmup\` and \`--repeats\` win over the suite and over \`--quick\`.
- \`--as-suite websocket\`, beside servers and scenarios that are named, is for the layout of reports alone and changes nothing of the plan: the
  *repeat this* command of a report names all that was measured, whatever the suite holds by then.
- **\`--quick\`** measures 0.8 s a trial (a count: until 0.8 s were measured; a search: as long as it takes, up to 38 s a trial)
  in five blocks after 0.2 s of warm-up, two seconds where a server compiles while it runs. Tools that load for whole seconds take one.
  Connections stay as they are. Five blocks give a verdict where the difference is large.
- **Loads given as a count** (5000 requests over 1000 connections) take less than a second on most hosts. Such a *shot* is repeated until
  the trial's seconds were measured, by the tool's own clock. Requests, failures, bytes and durations are added; the rate is all
  requests by all measured seconds; percentiles come from added histograms or not at all. The first shot, which is what such a
  benchmark publishes, is shown beside it and never ranked. CPU and memory are read at the edges of each shot, so the time between two shots
  is in no figure. Raw output is kept of the first shot and of five with failures.
- **Connections** are cut to what the host has room for: open files (each limit is raised as far as it goes first), ports, memory. The
  label \`connections-capped\` says what was asked for, what was used, and the command that lifts the limit.
- **The most a second with p99 within a bound** is a search, step by step at fixed rates (docs/method.md): a trial takes at most the
  seconds that are stated, whatever \`--duration\` asks for below them.
- Published figures stand beside a suite's results to compare shapes with, who wins where. They are another machine's and in no
  ranking.
`;

const number = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 3 });
const cell = (text: string) => text.replaceAll("|", "\\|");
const row = (cells: string[]) => `| ${cells.map(cell).join(" | ")} |`;

function load({ load, payload, in_flight, latency_until }: Scenario): string {
  const many = `${number(load.connections)} connection${load.connections === 1 ? "" : "s"}`;
  const parts =
    load.kind === "closed"
      ? [many]
      : load.kind === "rate"
        ? [`${number(load.rate_per_s)} a second over ${many}`]
        : load.kind === "knee"
          ? [`the most a second with p99 within ${number(load.p99_us / 1000)} ms, over ${many}`]
          : [`shots of ${number(load.requests)} over ${many}`];
  if (!load.keep_alive) parts.push("a new one for each request");
  if (payload?.kind === "numbers") parts.push(`arrays of ${number(payload.count)}`);
  if (payload?.kind === "bytes" || payload?.kind === "text")
    parts.push(`${number(payload.bytes)} bytes each`);
  if (in_flight) parts.push(`${in_flight} under way on each`);
  if (latency_until === "first-byte") parts.push("until the first byte");
  return parts.join(", ");
}

function request({ workload, path }: Scenario): string {
  if (workload === "ws-echo") return `WebSocket \`${path}\``;
  return `${workload === "json-sum" || workload === "upload" ? "POST" : "GET"} \`${path}\``;
}

function server({ label, server, options }: Suite["entries"][number], baseline: string): string {
  const set = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  const what = [...(label === server ? [] : [server]), ...set, ...(label === baseline ? ["baseline"] : [])];
  return what.length > 0 ? `${label} (${what.join(", ")})` : label;
}

function chapter(suite: Suite, known: Map<string, Scenario>): string {
  const scenarios = suite.scenarios.flatMap((id) => known.get(id) ?? []);
  const seconds = (s: Scenario) => `${number(suite.duration_s ?? s.duration_s)} + ${number(s.warmup_s)}`;
  const lines = [
    `## \`${suite.id}\`: ${suite.title}`,
    "",
    suite.summary,
    "",
    ...(suite.source ? [`Repeats: ${suite.source.title}. Measured on: ${suite.source.machine}.`, ""] : []),
    `Servers: ${suite.entries.map((e) => server(e, suite.baseline)).join("; ")}. Blocks: ${suite.repeats}.`,
    "",
    row(["scenario", "request", "tool", "load", "seconds + warm-up"]),
    row(["---", "---", "---", "---", "---"]),
    ...scenarios.map((s) => row([`\`${s.id}\``, request(s), s.tool, load(s), seconds(s)])),
    "",
  ];
  if (suite.mended.length > 0) lines.push("What is mended:", "", ...suite.mended.map((m) => `- ${m}`), "");
  if (suite.published.length > 0) {
    lines.push(
      "Published, on that other machine:",
      "",
      row(["scenario", "server", "stands for it here", "requests/s", "mean latency", "note"]),
      row(["---", "---", "---", "---:", "---:", "---"]),
      ...suite.published.map((p) =>
        row([
          `\`${p.scenario}\``,
          p.server,
          p.entry ?? "–",
          p.requests_per_s === null ? "–" : number(p.requests_per_s),
          p.latency_us === null ? "–" : `${number(p.latency_us / 1000)} ms`,
          p.note ?? "",
        ]),
      ),
      "",
    );
  }
  return lines.join("\n");
}

/** docs/suites.md. */
export function document(suites: Iterable<Suite>, scenarios: Iterable<Scenario>): string {
  const known = new Map([...scenarios].map((s) => [s.id, s]));
  return [INTRO, ...[...suites].map((suite) => chapter(suite, known))].join("\n");
}
