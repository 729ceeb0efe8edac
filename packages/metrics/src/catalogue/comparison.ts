import type { Metric } from "../metric";

export const COMPARISON = {
  ratio_to_baseline: {
    id: "ratio_to_baseline",
    title: "Ratio to the baseline",
    unit: "factor",
    better: null,
    aggregation: "geometric-mean",
    source: "stats",
    meaning:
      "Geometric mean of the ratios within blocks, with its confidence interval, adjusted for the number of comparisons in the run. Above 1 is more: better for a rate, worse for a latency or a cost.",
    limits:
      "Null with fewer than two blocks in common, for the baseline itself, if both are lower bounds, if one of the two gave wrong responses or did not sustain the rate, and if all blocks gave exactly the same ratio. Below five blocks there is no verdict. The interval holds for this host and this load.",
  },
  cv: {
    id: "cv",
    title: "Spread (CV)",
    unit: "ratio",
    better: "lower",
    aggregation: "over-trials",
    source: "stats",
    meaning: "Standard deviation of the trials divided by their mean.",
    limits:
      "Null for one trial. It includes noise that all entries of a block share, and the ratio does not. So a wide spread can go with a narrow interval.",
  },
  effect_size: {
    id: "effect_size",
    title: "Effect size",
    unit: "number",
    better: null,
    aggregation: "over-trials",
    source: "stats",
    meaning:
      "Mean of the blocks' log-ratios divided by their standard deviation, corrected for small samples (Hedges' g).",
    limits:
      "Null below five blocks and without a ratio. Compares the difference with the host's noise and does not say how large it is: on a quiet host 1 % is a large effect.",
  },
  outliers_mild: {
    id: "outliers_mild",
    title: "Mild outliers",
    unit: "count",
    better: null,
    aggregation: "over-trials",
    source: "stats",
    meaning:
      "Trials between 1.5 and 3 interquartile ranges outside the quartiles of their entry (Tukey's fences).",
    limits:
      "Null below five valid trials. Counted and never removed. With few trials the quartiles themselves are uncertain.",
  },
  outliers_severe: {
    id: "outliers_severe",
    title: "Severe outliers",
    unit: "count",
    better: null,
    aggregation: "over-trials",
    source: "stats",
    meaning: "Trials more than 3 interquartile ranges outside the quartiles of their entry (Tukey's fences).",
    limits:
      "Null below five valid trials. Counted and never removed. Look at their trials: something else may have run on the host.",
  },
  smallest_difference: {
    id: "smallest_difference",
    title: "Smallest difference",
    unit: "ratio",
    better: "lower",
    aggregation: "over-trials",
    source: "stats",
    meaning:
      "The smallest true difference that this number of blocks shows on this host with a probability of 0.8, from an A/A test (`rigmark calibrate`).",
    limits:
      "Null if the host was never calibrated or has changed since. Holds for the server, load and noise at that time.",
  },
} as const satisfies Record<string, Metric>;
