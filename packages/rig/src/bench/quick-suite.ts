import { CommandError } from "../say";
import type { HostView, RunSpec } from "../up/home";

/** A small load of each tool. */
const OF_TOOLS = [
  "static-1k-ab",
  "files-1k-cpu",
  "script-wrk",
  "script-h2load",
  "static-1k-autocannon",
  "static-1k-k6",
];

type Catalogue = NonNullable<HostView["catalogue"]>;

/** What the suite comes to on the host, as its button in the browser makes it. */
export function quickSuite(catalogue: Catalogue): RunSpec {
  const suite = catalogue.suites.find((one) => one.id === "quick");
  if (!suite) throw new CommandError("the new host has no suite quick.");
  const can = new Set(catalogue.servers.filter((one) => one.supported).map((one) => one.name));
  const does = supported(catalogue);
  return {
    schema: 1,
    title: suite.title,
    entries: suite.entries.filter((entry) => can.has(entry.server)),
    scenarios: suite.scenarios.filter((id) => does.has(id)),
    repeats: 5,
    duration_s: 0.8,
    warmup_s: 0.2,
    baseline: suite.baseline,
    seed: 1,
    suite: suite.id,
    slice_s: null,
    precision: null,
    max_repeats: null,
  };
}

/** The suite's first server under one load of each tool that the host has. */
export function eachTool(catalogue: Catalogue): RunSpec {
  const suite = quickSuite(catalogue);
  const does = supported(catalogue);
  return {
    ...suite,
    title: "bench: each tool",
    entries: suite.entries.slice(0, 1),
    scenarios: OF_TOOLS.filter((id) => does.has(id)),
    repeats: 1,
    duration_s: 2,
    baseline: null,
    suite: null,
  };
}

const supported = (catalogue: Catalogue): Set<string> =>
  new Set(catalogue.scenarios.filter((one) => one.supported).map((one) => one.scenario.id));
