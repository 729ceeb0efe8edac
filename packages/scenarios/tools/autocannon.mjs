// Drives the autocannon library and prints what it says as JSON lines: `tick` about once a second, `result` at the end.
//
//   node autocannon.mjs --url http://127.0.0.1:8080/1k.bin --connections 10 --duration 10 --timeout 10
//
// It is bundled into one file, because the hosts that it is shipped to have Node (18 or newer) and nothing else.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { version } from "autocannon/package.json";

const { values } = parseArgs({
  options: {
    version: { type: "boolean", default: false },
    url: { type: "string" },
    connections: { type: "string" },
    duration: { type: "string" },
    timeout: { type: "string" },
    // Files whose content is POSTed, in turn on each connection; without them, GET.
    body: { type: "string", multiple: true, default: [] },
    "content-type": { type: "string" },
    // A file of JSON: the requests of a scenario file, and in which order each connection sends them.
    requests: { type: "string" },
  },
});

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

function number(name) {
  const value = Number(values[name]);
  if (!Number.isFinite(value) || value <= 0) {
    process.stderr.write(`autocannon.mjs: --${name} needs a number above 0.\n`);
    process.exit(2);
  }
  return value;
}

/** A connection that was never made, a response that never came, and one that was cut off are different failures. */
function kindOf(error) {
  if (error.message === "request timed out") return "timeout";
  if (error.syscall === "connect") return "connect";
  if (error.syscall === "write" || error.code === "EPIPE") return "write";
  return error.syscall === "read" || error.code === "ECONNRESET" ? "read" : "other";
}

function mixed({ requests, order }) {
  const made = requests.map(({ method, path, headers, body_base64 }) => ({
    method,
    path,
    headers,
    ...(body_base64 !== null && { body: Buffer.from(body_base64, "base64") }),
  }));
  return order.map((index) => made[index]);
}

async function load() {
  const duration = number("duration");
  // autocannon stops at the first sample after its deadline: the deadline is put half a sample before the end.
  const sampleInt = (duration * 1000) / Math.max(2, Math.round(duration * 10));
  const seen = { requests: 0, bytes: 0 };
  const failures = { connect: 0, read: 0, write: 0, timeout: 0, other: 0 };
  let firstError = null;

  const headers = { "content-type": values["content-type"] };
  const posts = values.requests
    ? mixed(JSON.parse(readFileSync(values.requests, "utf8")))
    : values.body.map((file) => ({ method: "POST", headers, body: readFileSync(file) }));
  const run = autocannon({
    url: values.url,
    ...(posts.length > 0 && { requests: posts }),
    connections: number("connections"),
    timeout: number("timeout"),
    duration: duration - sampleInt / 2000,
    sampleInt,
  });
  run.on("response", (_client, _status, bytes) => {
    seen.requests += 1;
    seen.bytes += bytes;
  });
  run.on("reqError", (error) => {
    failures[kindOf(error)] += 1;
    firstError ??= error.code ?? error.message;
  });
  const ticker = setInterval(() => say({ type: "tick", ...seen }), 1000);
  const result = await run;
  clearInterval(ticker);

  const window_ms = result.finish - result.start;
  say({ type: "result", version, window_ms, failures, first_error: firstError, result });
}

if (values.version) say({ type: "version", version });
else await load();
