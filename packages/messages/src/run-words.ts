import { foreignParts, type Words } from "./words";

/** Words for how a run was made, from its data: the same on a report's page and in its Markdown. */

interface Range {
  least: number;
  most: number;
}

/** `5 blocks`, or `5 to 20 blocks`. */
export const blocksOf = (w: Words, { least, most }: Range): string =>
  least === most
    ? w.t("report.method.nBlocks", { n: least })
    : w.t("report.method.blockSpan", { least, most });

/** How it is decided how many blocks there are, and how many there were; null where that was fixed. */
export function stoppingOf(
  w: Words,
  { least, most }: Range,
  precision: string | null,
  end: { measured: number; early: boolean } | null,
): string | null {
  if (precision === null || least === most) return null;
  const rule = w.t("report.method.rule", { precision });
  if (end === null) return rule;
  const how = end.early ? "ruleEarly" : end.measured < most ? "ruleMeasured" : "ruleAll";
  return w.t(`report.method.${how}`, { rule, n: end.measured });
}

interface Noise {
  score: number | null;
}
const oneDecimal = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 1 });

export function noiseOf(w: Words, noise: Noise | null): string | null {
  if (!noise) return null;
  return noise.score === null
    ? w.t("report.environment.noiseNoScore")
    : w.t("report.environment.noiseScore", { score: oneDecimal(noise.score) });
}

interface Calibration {
  server: string;
  scenario: string;
  metric: "requests_per_s" | "p99_us" | "cpu_us_per_request";
  duration_s: number;
  blocks: number;
  smallest: readonly { blocks: number; difference: number }[];
}

/** What the host can show, for a reader who does not see it. No calibration is not one that found nothing. */
export function calibrationOf(w: Words, of: Calibration | null, percent: (ratio: number) => string): string {
  if (!of) return w.t("report.environment.calibrationNone");
  const least = of.smallest.find((s) => s.blocks === of.blocks) ?? of.smallest[0];
  const about = {
    server: of.server,
    scenario: of.scenario,
    metric: w.t(`report.environment.metric.${of.metric}`),
  };
  if (!least) return w.t("report.environment.calibrationNoisy", about);
  const seconds = oneDecimal(of.duration_s);
  const difference = percent(least.difference);
  return w.t("report.environment.calibrationShows", { ...about, blocks: least.blocks, seconds, difference });
}

interface Checks {
  workload: string;
  checks: readonly { status: string; title: string; message: string | null }[];
}

/** "HTTP: 9 of 11; HEAD /plaintext answers 404 and not 200. And 2 more." */
export function conformanceOf(w: Words, { workload, checks }: Checks): string {
  const failed = checks.filter((c) => c.status === "failed");
  const score = w.t("report.verify.score", {
    protocol: workload === "ws-echo" ? "WebSocket" : "HTTP",
    passed: checks.length - failed.length,
    all: checks.length,
  });
  const [first] = failed;
  if (!first) return score;
  const why =
    w.language === "en"
      ? (first.message ?? first.title)
      : `${w.phrase(first.title)}${first.message ? `${w.t("ui.colon")}${w.phrase(first.message)}` : ""}${w.t("report.verify.end")}`;
  const more = failed.length > 1 ? w.t("report.verify.andMore", { n: failed.length - 1 }) : null;
  return `${score}${w.t("ui.semicolon")}${[why, more].filter(Boolean).join(w.language === "en" ? " " : "")}`;
}

export const runOf = (w: Words, place: number | null): string =>
  place === null ? w.t("report.runs.This") : w.t("report.runs.Name", { n: place + 1 });

/** The same inside a sentence: titles of runs may be equal, places are not. Null: the run that the page is of. */
export const runName = (w: Words, place: number | null): string =>
  place === null ? w.t("report.runs.this") : w.t("report.runs.name", { n: place + 1 });

/** "runs 2, 5 and 7 to 9": of runs of which the same is true. Places ascend. */
export function runNames(w: Words, places: readonly number[]): string {
  const [only] = places;
  if (only !== undefined && places.length === 1) return runName(w, only);
  const spans: [number, number][] = [];
  for (const place of places) {
    const last = spans.at(-1);
    if (last && last[1] === place - 1) last[1] = place;
    else spans.push([place, place]);
  }
  const numbers = spans.flatMap(([from, to]) =>
    to - from < 2
      ? Array.from({ length: to - from + 1 }, (_, i) => String(from + i + 1))
      : [w.t("report.runs.span", { from: from + 1, to: to + 1 })],
  );
  return w.t("report.runs.names", { list: w.list(numbers) });
}

interface Beside {
  /** Several: the same is true of all of them. */
  place: number | readonly number[] | null;
  known: boolean;
}

/** Whether runs of a report may be compared, and how many things forbid it. */
export function comparedOf(
  w: Words,
  a: Beside & { place: number | null },
  b: Beside,
  differing: number,
): string {
  const nameOf = ({ place }: Beside) =>
    place === null || typeof place === "number" ? runName(w, place) : runNames(w, place);
  const names = { a: runOf(w, a.place), b: nameOf(b) };
  if (!a.known || !b.known) {
    const [first = "", second] = [a, b].filter((r) => !r.known).map(nameOf);
    return w.t("report.runs.unknown", {
      ...names,
      unknown: second ? w.t("report.runs.unknownBoth", { a: first, b: second }) : first,
    });
  }
  return w.t(differing === 0 ? "report.runs.same" : "report.runs.differ", { ...names, n: differing });
}

/** A sentence of packages/stats that names scenarios, whose titles it has in English. */
export function titled(w: Words, sentence: string, scenarios: readonly { title: string }[]): string {
  if (w.language === "en") return sentence;
  // The longest first: one title may begin another.
  const titles = scenarios.map((s) => s.title).sort((a, b) => b.length - a.length);
  return titles.reduce((told, title) => {
    const own = w.title(title);
    return foreignParts(own).some((part) => part.foreign) ? told : told.replaceAll(title, own);
  }, sentence);
}
