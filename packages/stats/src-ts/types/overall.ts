/** What `overall` takes and gives. */
export type OverallInput = {
  /** For each load whether a larger ratio is the better one. */
  more_is_better: readonly boolean[];
  /** An entry each, with its ratio to the baseline under each load; null where nobody measured it. */
  rows: readonly (readonly (number | null)[])[];
};

export type Overall = {
  /** Of each row how many times as good as the baseline it is; null unless it has a ratio under each of at least two loads. */
  means: (number | null)[];
};
