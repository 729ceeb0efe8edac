import type { ReportHost, ReportSnapshot } from "@rigmark/results";
import { atMost, printable, storable } from "../../internal/text";

/** Everything here is drawn for anybody, in a list: names are short and few. */
const [TITLE_CHARS, SENTENCE_CHARS, NAME_CHARS, MOST_NAMES, WORDS_CHARS] = [200, 500, 120, 64, 4000];

export const line = (text: string, chars: number): string => atMost(printable(storable(text)), chars).trim();
const names = (texts: readonly (string | null | undefined)[]): string[] =>
  [...new Set(texts.map((text) => line(text ?? "", NAME_CHARS)).filter((text) => text !== ""))].slice(
    0,
    MOST_NAMES,
  );

/** `Cortex-A76 × 4`; a board's name where the CPU has none. Null where neither is known. */
export function cpusOf({ cpu_model, board, cpus_online }: ReportHost): string | null {
  const model = cpu_model ?? board;
  return model && cpus_online !== null ? `${model} × ${cpus_online}` : model;
}

/** `Raspberry Pi 5, Cortex-A76 × 4, aarch64` */
export function machineOf(host: ReportHost): string {
  const board = host.cpu_model === null ? null : host.board;
  return [board, cpusOf(host), host.arch].filter(Boolean).join(", ");
}

/** What Explore shows of a report, and what it is found by. */
export function listingOf({ title, runs }: ReportSnapshot) {
  const summary = runs[0]?.summary;
  const listing = {
    title: line(title, TITLE_CHARS),
    sentence: line(summary?.sentence ?? "", SENTENCE_CHARS),
    sentence_zh: line(summary?.sentence_zh ?? "", SENTENCE_CHARS),
    runs: runs.length,
    machines: names(runs.map((run) => machineOf(run.host))),
    suites: names(runs.map((run) => run.spec.suite)),
    scenarios: names(runs.flatMap((run) => run.scenarios.map((scenario) => scenario.id))),
    archs: names(runs.map((run) => run.host.arch)),
    cpus: names(runs.map((run) => cpusOf(run.host))),
    servers: names(runs.flatMap((run) => run.entries.map((entry) => entry.label))),
  };
  const { suites, scenarios, servers, machines } = listing;
  const words = [listing.title, ...servers, ...machines, ...suites, ...scenarios].join(" ").toLowerCase();
  return { ...listing, words: atMost(words, WORDS_CHARS) };
}
