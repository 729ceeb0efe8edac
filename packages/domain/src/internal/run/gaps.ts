import type { Words } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import type { RunView } from "@rigmark/results";

/** Ways in which the run is not whole, as English sentences of the catalogue, which recognizes them for other languages. */
export function gapsOf(run: RunView): string[] {
  const { t } = wordsIn("en");
  const gaps: string[] = [];
  if (!run.final) gaps.push(t("phrase.notOver"));
  else if (run.state !== "succeeded") {
    const state = run.state.replace("_", " ");
    gaps.push(
      run.error ? t("phrase.endedAsWhy", { state, why: run.error.message }) : t("phrase.endedAs", { state }),
    );
  }
  gaps.push(...run.missing.map((gap) => missing(gap, t)));
  const corrupt = run.corrupt_records;
  if (corrupt > 0)
    gaps.push(t(corrupt === 1 ? "phrase.corruptOne-now" : "phrase.corrupt", { n: String(corrupt) }));
  const planned = run.trials.filter((x) => x.state === "planned" || x.state === "running").length;
  if (planned > 0)
    gaps.push(
      t(planned === 1 ? "phrase.plannedOne-now" : "phrase.planned", {
        n: String(planned),
        all: String(run.trials.length),
      }),
    );
  return gaps;
}

function missing({ stream: name, from_seq, to_seq }: RunView["missing"][number], t: Words["t"]): string {
  const stream = t(name === "raw" ? "phrase.streamRaw-now" : "phrase.streamJournal");
  const from = String(from_seq);
  if (to_seq === null) return t("phrase.missingOn-now", { stream, from });
  const to = String(to_seq - 1);
  return from === to
    ? t("phrase.missingOne-now", { stream, from })
    : t("phrase.missingTo-now", { stream, from, to });
}
