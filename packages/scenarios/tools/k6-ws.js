// Echoes of one WebSocket endpoint in a closed loop. Everything comes from the environment (`k6 run -e NAME=value`):
//
//   RIG_URL          ws://…
//   RIG_SUMMARY      file that the summary is written to
//   RIG_CONNECTIONS  virtual users; each has one connection
//   RIG_DURATION_S   seconds of load
//   RIG_TIMEOUT_S    how long an echo may take
//   RIG_PAYLOAD      "greeting", "text" or "bytes"
//   RIG_BYTES        of a message, for text and bytes
//   RIG_IN_FLIGHT    messages under way on a connection

import { sleep } from "k6";
import { Counter, Trend } from "k6/metrics";
import { WebSocket } from "k6/websockets";

const env = __ENV;
const connections = Number(env.RIG_CONNECTIONS);
const durationMs = Math.round(Number(env.RIG_DURATION_S) * 1000);
const timeoutMs = Number(env.RIG_TIMEOUT_S) * 1000;
const inFlight = Number(env.RIG_IN_FLIGHT || 1);
const size = Number(env.RIG_BYTES || 0);

export const options = {
  scenarios: {
    load: { executor: "constant-vus", vus: connections, duration: `${durationMs}ms`, gracefulStop: "2s" },
  },
  systemTags: [],
  summaryTrendStats: [
    "count",
    "avg",
    "min",
    "med",
    "max",
    "p(50)",
    "p(75)",
    "p(90)",
    "p(95)",
    "p(97.5)",
    "p(99)",
    "p(99.9)",
  ],
};

const echoes = new Counter("rig_echoes");
const received = new Counter("rig_bytes");
// In whole milliseconds: scripts have no finer clock.
const latency = new Trend("rig_echo_ms");
const failed = {
  connect: new Counter("rig_failed_connect"),
  read: new Counter("rig_failed_read"),
  timeout: new Counter("rig_failed_timeout"),
  length: new Counter("rig_failed_length"),
  content: new Counter("rig_failed_content"),
};

/** Each message names its connection and its number, so that no other can stand for it. */
function message(number) {
  if (env.RIG_PAYLOAD === "greeting") return `{"text": "Hello from connection ${__VU} - message ${number}"}`;
  const own = `${number.toString(36)} ${__VU.toString(36)} `.slice(0, size);
  const text = own + "x".repeat(size - own.length);
  if (env.RIG_PAYLOAD === "text") return text;
  return Uint8Array.from(text, (c) => c.charCodeAt(0)).buffer;
}

const length = (data) => (typeof data === "string" ? data.length : data.byteLength);

function wrong(sent, got) {
  if (typeof sent !== typeof got) return "content";
  if (length(sent) !== length(got)) return "length";
  if (typeof sent === "string") return sent === got ? null : "content";
  const [a, b] = [new Uint8Array(sent), new Uint8Array(got)];
  return a.every((byte, i) => byte === b[i]) ? null : "content";
}

/** One connection's life, until the load is over or it is of no use any more. */
export default function () {
  const until = begun() + durationMs;
  // The executor begins once more just before its end.
  if (Date.now() >= until) return sleep(0.05);
  const socket = new WebSocket(env.RIG_URL);
  const waiting = [];
  let [number, open, over] = [0, false, false];
  socket.binaryType = "arraybuffer";

  function end(kind) {
    if (over) return;
    over = true;
    clearInterval(watch);
    if (kind && !open) {
      failed.connect.add(1);
      setTimeout(() => undefined, 50);
    } else if (kind) failed[kind].add(waiting.length);
    socket.close();
  }
  function send() {
    const data = message(number);
    number += 1;
    waiting.push({ data, at: Date.now() });
    socket.send(data);
  }
  const watch = setInterval(() => {
    const oldest = waiting.length > 0 ? waiting[0].at : null;
    if (oldest !== null && Date.now() - oldest > timeoutMs) end("timeout");
    else if (Date.now() >= until) end(null);
  }, 20);

  socket.onopen = () => {
    open = true;
    for (let i = 0; i < inFlight; i += 1) send();
  };
  socket.onmessage = (event) => {
    if (over || waiting.length === 0) return;
    const at = Date.now();
    if (at >= until) return end(null);
    const { data, at: sent } = waiting.shift();
    latency.add(at - sent);
    echoes.add(1);
    received.add(length(event.data));
    const kind = wrong(data, event.data);
    if (kind) failed[kind].add(1);
    send();
  };
  socket.onerror = () => end("read");
  socket.onclose = () => end("read");
}

let began = null;
function begun() {
  began ??= Date.now();
  return began;
}

export function handleSummary(data) {
  return { [env.RIG_SUMMARY]: JSON.stringify(data) };
}
