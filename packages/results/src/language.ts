import type { RunSummary } from "./view/summary";

/**
 * In which language the sentences are read; nothing else is translated. A file of its own, without schemas: pages use
 * it in code that must not carry zod.
 */
export type Language = "en" | "zh";

const pick = <S extends { sentence: string; sentence_zh?: string }>(said: S): S =>
  said.sentence_zh ? { ...said, sentence: said.sentence_zh } : said;

/** A summary with its sentences in a language; those that reports of before do not have stay English. */
export function inLanguage(summary: RunSummary, language: Language): RunSummary {
  if (language === "en") return summary;
  return {
    ...pick(summary),
    scenarios: summary.scenarios.map((s) => ({
      ...pick(s),
      entries: s.entries.map(pick),
      no_verdict: s.no_verdict && pick(s.no_verdict),
      blocks: s.blocks && { ...s.blocks, sentence: s.blocks.sentence_zh ?? s.blocks.sentence },
    })),
  };
}

/** Whether there is anything to read in Chinese. */
export const hasChinese = (summary: Pick<RunSummary, "sentence_zh"> | null): boolean =>
  Boolean(summary?.sentence_zh);
