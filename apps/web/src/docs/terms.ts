/** The terms that pages link to, by their anchors in docs/glossary.md; a test looks each of them up there. */
export const TERMS = [
  "a-a-test",
  "baseline",
  "block",
  "bottleneck",
  "closed-loop",
  "confidence-interval",
  "conformance",
  "cpu-time-per-request",
  "entry",
  "fingerprint",
  "knee",
  "noise-score",
  "open-loop",
  "rank",
  "ratio",
  "scenario",
  "smallest-visible-difference",
  "steal",
  "trial",
  "valid-trial",
  "verdict",
] as const;

export type TermId = (typeof TERMS)[number];
