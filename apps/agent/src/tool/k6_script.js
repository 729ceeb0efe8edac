const connections = Number(__ENV.RIG_CONNECTIONS);
const duration = `${Math.round(Number(__ENV.RIG_DURATION_S) * 1000)}ms`;
const { scenarios, stages, vus, iterations, duration: ownDuration, ...kept } = own.options || {};

export const options = {
  maxRedirects: 0,
  ...kept,
  scenarios: { load: { executor: "constant-vus", vus: connections, duration, gracefulStop: "0s" } },
  noConnectionReuse: __ENV.RIG_KEEP_ALIVE === "false",
  systemTags: ["error_code"],
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

export default function (data) {
  return own.default(data);
}

export function handleSummary(data) {
  return { [__ENV.RIG_SUMMARY]: JSON.stringify(data) };
}
