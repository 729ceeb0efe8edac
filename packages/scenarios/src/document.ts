import type { Scenario, Suite } from "@rigmark/protocol";

const INTRO = `# Suites

Five published benchmark reports are why Rigmark exists. Each is a suite here: the published loads without the report's
faults, on the published servers or, for ANX, uvhttp, fiber-net and the two small C servers, on some of the same kind. A
sixth suite is for a first look. This page is made from the data in \`packages/scenarios\`.

## How to run one

\`\`\`sh
rigmark suites                                # what there is, how long it takes, and what is missing on this host
rigmark run --suite websocket --quick         # five short blocks: does it work, and is anything far apart?
rigmark run --suite websocket                 # with the suite's own durations and blocks
rigmark run --suite websocket --duration 60s  # about five hours
rigmark run --suite websocket --server mine=./my-server --server axum
\`\`\`

In the browser: *New run*, then choose the suite.

- **What the host lacks is left out.** A server that cannot be built here, or a scenario whose tool is missing, becomes a
  label of the run with the reason. If the baseline is missing, a label names the entry that replaces it. If nothing is
  left, the command exits 77. \`rigmark queue --suite\` leaves nothing out: name the servers that the host has with \`--server\`.
- **\`./rig up\` installs everything but Java.** For \`json-sum\`, and Netty in \`websocket\`, first run
  \`sudo apt install default-jdk-headless maven\` (Mac: the command that \`rigmark servers\` prints). If Go or Node was
  missing or too old, it put one into \`.rig/tools\`: runs from the browser use it, and a shell does after
  \`export PATH="$PWD/.rig/tools/bin:$PATH"\`. A Mac has no \`epoll\`, \`io-uring\`, \`asm\` and \`nginx-lua\`.
- **Servers take turns.** With loadgen, h2load and wrk a trial of up to 256 connections, and 8 MiB in flight, is cut into
  slices of 0.5 to 1 s that alternate between the servers; each slice opens its connections anew. \`--slice 0\` measures in
  one piece, as the originals did.
- **Servers run only the workloads they claim.** A label names the scenarios that this leaves out.
- **Your flags win.** \`--server\` replaces the suite's servers. \`--duration\`, \`--warmup\` and \`--repeats\` override the suite
  and \`--quick\`.
- **\`--quick\`** runs five blocks with 0.8 s per trial (1 s for tools that only take whole seconds) after 0.2 s of warm-up (2 s for
  all entries if one of them compiles while it runs). A search takes as long as it needs, up to 38 s per trial. Five blocks give
  a verdict if the difference is large.
- **A fixed number of requests**, such as 5,000 over 1,000 connections, takes less than a second on most hosts. It is
  repeated until the trial's seconds are measured by the tool's own clock. Requests, failures, bytes and durations are
  summed; the rate is requests ÷ measured seconds; percentiles come from merged histograms or are empty. The first
  repetition, which is what such a report publishes, is shown and never ranked. CPU and memory leave out the time between
  repetitions. Raw output is kept of the first and of up to five with failures.
- **Connections** are limited by the host's open files (raised as far as possible first), ports and memory (half of the
  host's, or of its control group's if that is less). If there are fewer than the scenario asks for,
  \`rigmark suites\` says so before the run, and the run's label \`connections-capped\` has both numbers and says what lifts
  the limit. With 1 GiB of memory, all suites keep their connections; with 512 MiB, a few get fewer.
- **The highest rate with p99 within a bound** is found by a search over fixed rates ([method](method.md#load)). A trial
  takes at most the stated seconds; a shorter \`--duration\` does not change that.
- **\`--as-suite websocket\`** gives the report of a custom run the suite's layout. It changes nothing in the plan. The
  *repeat this* command of a report uses it, so the command names everything that was measured even if the suite changes.
- **Published figures** stand in a fold below a suite's results in the app, so that you can compare who wins where. They come
  from another machine and are never ranked.
`;

const number = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 3 });
/** As precise as it was published. */
const latency = (us: number) => (us < 1000 ? `${number(us)} µs` : `${number(us / 1000)} ms`);
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
          ? [`the highest rate with p99 within ${number(load.p99_us / 1000)} ms, over ${many}`]
          : [`${number(load.requests)} requests over ${many}, repeated`];
  if (!load.keep_alive) parts.push("a new one per request");
  if (payload?.kind === "numbers") parts.push(`arrays of ${number(payload.count)}`);
  if (payload?.kind === "bytes" || payload?.kind === "text")
    parts.push(`${number(payload.bytes)} bytes each`);
  if (in_flight) parts.push(`${in_flight} in flight on each`);
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

/** As the agent plans it (`warmup_s` in apps/agent/src/runner/plan/mod.rs): shorter trials than the scenario's own have a shorter one. */
export function warmUpS({ duration_s, warmup_s }: Scenario, asked_s: number): number {
  if (asked_s >= duration_s) return warmup_s;
  return Math.min(warmup_s, Math.max(0.1 * asked_s, 0.2, (warmup_s * asked_s) / duration_s));
}

function chapter(suite: Suite, known: Map<string, Scenario>): string {
  const scenarios = suite.scenarios.flatMap((id) => known.get(id) ?? []);
  const seconds = (s: Scenario) => {
    const load_s = suite.duration_s ?? s.duration_s;
    return `${number(load_s)} + ${number(warmUpS(s, load_s))}`;
  };
  const lines = [
    `## \`${suite.id}\`: ${suite.title}`,
    "",
    suite.summary,
    "",
    ...(suite.source ? [`Repeats: ${suite.source.title}. Published on: ${suite.source.machine}.`, ""] : []),
    `Servers: ${suite.entries.map((e) => server(e, suite.baseline)).join("; ")}. Blocks: ${suite.repeats}.`,
    "",
    row(["scenario", "request", "tool", "load", "seconds + warm-up"]),
    row(["---", "---", "---", "---", "---"]),
    ...scenarios.map((s) => row([`\`${s.id}\``, request(s), s.tool, load(s), seconds(s)])),
    "",
  ];
  if (suite.mended.length > 0)
    lines.push("What differs from the published report:", "", ...suite.mended.map((m) => `- ${m}`), "");
  if (suite.published.length > 0) {
    lines.push(
      "Published figures, from that machine:",
      "",
      row(["scenario", "server", "here", "requests/s", "latency as published", "note"]),
      row(["---", "---", "---", "---:", "---:", "---"]),
      ...suite.published.map((p) =>
        row([
          `\`${p.scenario}\``,
          p.server,
          p.entry ?? "–",
          p.requests_per_s === null ? "–" : number(p.requests_per_s),
          p.latency_us === null ? "–" : latency(p.latency_us),
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
