import { formatQuantity } from "@rigmark/metrics";
import type { PlanEntry, Scenario } from "@rigmark/protocol";
import type { EntrySummary, RunSummary, ScenarioSummary } from "./view/summary";

/**
 * Scenarios whose latency is counted to the first byte, in a closed loop: what they are for is that time, and a time of a
 * closed loop ranks nowhere. Without schemas, as ranking.ts.
 */
export const SINGLE_REQUESTS = "single requests in a closed loop: not ranked";
export const FIRST_BYTE = "first_byte_p50_us";

type Timed = Pick<Scenario, "latency_until" | "judged_by"> & { load: { kind: Scenario["load"]["kind"] } };

export const untilFirstByte = (scenario: Pick<Scenario, "latency_until"> | undefined): boolean =>
  scenario?.latency_until === "first-byte";

/** At a fixed rate such times rank as others do, and what a request costs the server ranks under any load. */
export const isUnranked = (scenario: Timed): boolean =>
  untilFirstByte(scenario) &&
  scenario.judged_by !== "cpu_us_per_request" &&
  (scenario.load.kind === "closed" || scenario.load.kind === "count");

/** What a picture or a badge is of: the first scenario that ranks, if there is one. */
export const headOf = <S extends Timed>(scenarios: readonly S[]): S | undefined =>
  scenarios.find((s) => !isUnranked(s)) ?? scenarios[0];

const stop = (reason: string): string => reason.replace(/[.。]$/, "");

/** An entry with its time alone: nobody is first, and nothing is said that was found for the rate. */
function entryOf(entry: EntrySummary, label: string): EntrySummary {
  const p50 = entry.percentiles.find((p) => p.p === 50);
  const time = p50?.us ? formatQuantity(p50.us.median, "us") : null;
  const told = entry.unranked_reason ?? (time ? null : `p50 ${p50?.note ?? "unknown"}`);
  return {
    ...entry,
    rank: null,
    rank_to: null,
    unranked_reason: told ?? SINGLE_REQUESTS,
    shared_ceiling: false,
    ratio: null,
    verdict: null,
    effect: null,
    outliers: null,
    sentence: told
      ? `${label} has no time to the first byte that counts: ${stop(told)}.`
      : `${label}: ${time} to the first byte, the median of single requests; not ranked.`,
    sentence_zh: told
      ? `${label} 没有可用的首字节时间：${stop(told)}。`
      : `${label}：首字节时间 ${time}（单个请求的中位数），不排名。`,
  };
}

/** The same scenario by its times to the first byte, in the order of the plan. */
export function unranked(
  found: ScenarioSummary,
  entries: readonly Pick<PlanEntry, "key" | "label">[],
): ScenarioSummary {
  const told = entries.flatMap(({ key, label }) => {
    const entry = found.entries.find((e) => e.entry_key === key);
    return entry ? [{ label, entry: entryOf(entry, label) }] : [];
  });
  const times = told.flatMap(({ label, entry }) => {
    const us = entry.unranked_reason === SINGLE_REQUESTS && entry.percentiles.find((p) => p.p === 50)?.us;
    return us ? [`${label} ${formatQuantity(us.median, "us")}`] : [];
  });
  const others = told.filter(({ entry }) => entry.unranked_reason !== SINGLE_REQUESTS);
  return {
    ...found,
    metric: FIRST_BYTE,
    winner_key: null,
    no_winner: SINGLE_REQUESTS,
    no_verdict: null,
    entries: told.map(({ entry }) => entry),
    sentence: [
      times.length > 0 ? `Median time to the first byte: ${times.join(", ")}.` : null,
      ...others.map(({ entry }) => entry.sentence),
      "Single requests in a closed loop are not ranked.",
    ]
      .filter(Boolean)
      .join(" "),
    sentence_zh: [
      times.length > 0 ? `首字节时间的中位数：${times.join("，")}。` : null,
      ...others.map(({ entry }) => entry.sentence_zh),
      "闭环中的单个请求不排名。",
    ]
      .filter(Boolean)
      .join(""),
  };
}

/** Both together, in the order of the plan; the verdict of the run is that of what ranks, and says what it leaves out. */
export function withUnranked(
  ranked: RunSummary,
  singles: readonly ScenarioSummary[],
  order: readonly Pick<Scenario, "id" | "title">[],
): RunSummary {
  const all = [...ranked.scenarios, ...singles];
  const scenarios = order.flatMap(({ id }) => all.filter((s) => s.scenario === id));
  const n = singles.length;
  if (ranked.scenarios.length > 0)
    return {
      ...ranked,
      sentence: `${ranked.sentence} Not ranked: ${n} ${n === 1 ? "scenario" : "scenarios"} of single requests.`,
      sentence_zh: `${ranked.sentence_zh}另有 ${n} 个单个请求的场景不排名。`,
      scenarios,
    };
  const [first] = scenarios;
  const title = order.find(({ id }) => id === first?.scenario)?.title;
  return {
    ...ranked,
    sentence:
      n > 1
        ? `There is no verdict in any of ${n} scenarios. ${title}: ${first?.sentence}`
        : (first?.sentence ?? ranked.sentence),
    sentence_zh:
      n > 1
        ? `${n} 个场景都没有结论。${title}：${first?.sentence_zh}`
        : (first?.sentence_zh ?? ranked.sentence_zh),
    scenarios,
  };
}
