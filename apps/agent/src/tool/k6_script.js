const connections = Number(__ENV.RIG_CONNECTIONS);
const duration = `${Math.round(Number(__ENV.RIG_DURATION_S) * 1000)}ms`;
const { scenarios, stages, vus, iterations, duration: ownDuration, systemTags, ...kept } = own.options || {};

// What setup and teardown request is no load. The summary has the load's own figures where thresholds name them.
const ofTheLoad =
  own.setup || own.teardown
    ? {
        "http_reqs{scenario:load}": ["count>=0"],
        "http_req_failed{scenario:load}": ["rate>=0"],
        "http_req_duration{scenario:load}": ["max>=0"],
      }
    : {};

// Fewer tags, less work a request. A threshold on one of the others needs k6's own choice.
const tagged = Object.keys(kept.thresholds || {}).some((name) => name.includes("{"));
const tags = tagged ? {} : { systemTags: ["error_code", "scenario"] };

export const options = {
  maxRedirects: 0,
  ...kept,
  ...tags,
  thresholds: { ...ofTheLoad, ...kept.thresholds },
  scenarios: { load: { executor: "constant-vus", vus: connections, duration, gracefulStop: "0s" } },
  noConnectionReuse: __ENV.RIG_KEEP_ALIVE === "false",
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

export function setup() {
  return own.setup ? own.setup() : undefined;
}

export default function (data) {
  return own.default(data);
}

export function teardown(data) {
  return own.teardown ? own.teardown(data) : undefined;
}

export function handleSummary(data) {
  return { [__ENV.RIG_SUMMARY]: JSON.stringify(data) };
}
