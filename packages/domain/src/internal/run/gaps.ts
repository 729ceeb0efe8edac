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
  for (const { stream, from_seq, to_seq } of run.missing) {
    const from = String(from_seq);
    gaps.push(
      to_seq === null
        ? t("phrase.missingOn", { stream, from })
        : t("phrase.missingTo", { stream, from, to: String(to_seq - 1) }),
    );
  }
  if (run.corrupt_records > 0) gaps.push(t("phrase.corrupt", { n: String(run.corrupt_records) }));
  const planned = run.trials.filter((x) => x.state === "planned" || x.state === "running").length;
  if (planned > 0) gaps.push(t("phrase.planned", { n: String(planned), all: String(run.trials.length) }));
  return gaps;
}
