// One URL under closed-loop or fixed-rate load. Everything comes from the environment (`k6 run -e NAME=value`):
//
//   RIG_URL          what to GET
//   RIG_SUMMARY      file that the summary is written to
//   RIG_CONNECTIONS  virtual users; each has one connection
//   RIG_DURATION_S   seconds of load
//   RIG_RATE         requests a second; empty or absent: closed loop
//   RIG_KEEP_ALIVE   "false": a new connection for each request
//   RIG_TIMEOUT_S    how long a response may take
//   RIG_BODY         file to POST; empty or absent: GET
//   RIG_CONTENT_TYPE of that body
//   RIG_REQUESTS     file of JSON in place of URL, BODY and CONTENT_TYPE: requests, and in which order they are sent
//   RIG_THRESHOLDS   JSON array of "metric: expression", such as ["http_req_duration: p(99)<250"]

import { b64decode } from "k6/encoding";
import http from "k6/http";
import { Counter } from "k6/metrics";

const env = __ENV;
const connections = Number(env.RIG_CONNECTIONS);
const duration = `${Math.round(Number(env.RIG_DURATION_S) * 1000)}ms`;

const load = env.RIG_RATE
  ? {
      executor: "constant-arrival-rate",
      rate: Number(env.RIG_RATE),
      timeUnit: "1s",
      duration,
      preAllocatedVUs: connections,
      maxVUs: connections,
      gracefulStop: "0s",
    }
  : { executor: "constant-vus", vus: connections, duration, gracefulStop: "0s" };

function thresholds() {
  const byMetric = {};
  for (const line of JSON.parse(env.RIG_THRESHOLDS || "[]")) {
    // A metric may have tags: "http_req_duration{status:200}: p(99)<250".
    const colon = line.indexOf(":", Math.max(0, line.indexOf("}")));
    if (colon < 1) throw new Error(`RIG_THRESHOLDS: ${JSON.stringify(line)} is not "metric: expression"`);
    const metric = line.slice(0, colon).trim();
    byMetric[metric] = [...(byMetric[metric] || []), line.slice(colon + 1).trim()];
  }
  return byMetric;
}

const checked = thresholds();
// Fewer tags, less work a request: the generator is k6's own limit. A threshold on a tag needs k6's own choice.
const tagged = Object.keys(checked).some((metric) => metric.includes("{"));
const tags = tagged ? {} : { systemTags: ["error_code"] };

export const options = {
  scenarios: { load },
  thresholds: checked,
  discardResponseBodies: true,
  noConnectionReuse: env.RIG_KEEP_ALIVE === "false",
  maxRedirects: 0,
  ...tags,
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

// Counted only when something is wrong, so that the good case costs nothing.
const failed = {
  connect: new Counter("rig_failed_connect"),
  read: new Counter("rig_failed_read"),
  write: new Counter("rig_failed_write"),
  timeout: new Counter("rig_failed_timeout"),
  other: new Counter("rig_failed_other"),
};
const status = {
  "1xx": new Counter("rig_status_1xx"),
  "3xx": new Counter("rig_status_3xx"),
  "4xx": new Counter("rig_status_4xx"),
  "5xx": new Counter("rig_status_5xx"),
};

/** k6's error codes: 1050 no response in time, 11xx name look-up, 121x dialling, 1201 broken pipe, 1220 reset. */
function kindOf(code) {
  if (code === 1050) return "timeout";
  if (code >= 1100 && code < 1200) return "connect";
  if (code >= 1210 && code < 1220) return "connect";
  if (code === 1201) return "write";
  return code === 1220 || code === 1000 ? "read" : "other";
}

const body = env.RIG_BODY ? open(env.RIG_BODY, "b") : null;
const params = {
  headers: body ? { "Content-Type": env.RIG_CONTENT_TYPE } : {},
  timeout: `${env.RIG_TIMEOUT_S}s`,
  responseCallback: http.expectedStatuses({ min: 200, max: 299 }),
};

const mix = env.RIG_REQUESTS ? JSON.parse(open(env.RIG_REQUESTS)) : null;
const origin = env.RIG_URL.match(/^http:\/\/[^/]+/)[0];
const mixed = (mix ? mix.requests : []).map(({ method, path, headers, body_base64 }) => ({
  method,
  url: origin + path,
  body: body_base64 === null ? null : b64decode(body_base64),
  params: { ...params, headers },
}));
let sent = 0;

/** Virtual users begin at places far from each other. */
function next() {
  const place = (__VU * 1031 + sent) % mix.order.length;
  sent += 1;
  const { method, url, body, params } = mixed[mix.order[place]];
  return http.request(method, url, body, params);
}

function one() {
  return body ? http.post(env.RIG_URL, body, params) : http.get(env.RIG_URL, params);
}

export default function () {
  const response = mix ? next() : one();
  if (response.status >= 200 && response.status < 300 && response.error_code === 0) return;
  if (response.status === 0) failed[kindOf(response.error_code)].add(1);
  else (status[`${Math.floor(response.status / 100)}xx`] || failed.other).add(1);
}

export function handleSummary(data) {
  return { [env.RIG_SUMMARY]: JSON.stringify(data) };
}
