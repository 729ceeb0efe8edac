import { env } from "@rigmark/rig/research";

/** How much the method's bench measures. */
export interface Setting {
  /** Only a proof that the whole path works: no goal is held against its figures. */
  short: boolean;
  /** Of a server with itself. */
  comparisons: number;
  /** Of each comparison. */
  blocks: number;
  /** Against the build that spends about 5 % more: so many comparisons of so many blocks. */
  dearer: { comparisons: number; blocks: number };
  /** Blocks that tell the true ratio: so many runs of so many. */
  reference: { runs: number; blocks: number };
  /** Sets of recorded blocks with their labels permuted. */
  sets: number;
  /** Sets for each difference of which the power is asked. */
  powerSets: number;
  /** Runs with slices, and as many without. */
  spreadRuns: number;
  duration_s: number;
  warmup_s: number;
}

const WHOLE: Setting = {
  short: false,
  comparisons: 40,
  blocks: 10,
  /** On a virtual machine with 2 cores a block's log-ratio of CPU time scatters by up to 8 %: drawn from 400 recorded blocks, 20 show 5 % in 84 of 100 cases, 30 in 96. */
  dearer: { comparisons: 10, blocks: 30 },
  reference: { runs: 10, blocks: 20 },
  sets: 2400,
  powerSets: 600,
  spreadRuns: 2,
  duration_s: 1.6,
  warmup_s: 0.5,
};

const SHORT: Setting = {
  short: true,
  comparisons: 2,
  blocks: 5,
  dearer: { comparisons: 1, blocks: 5 },
  reference: { runs: 1, blocks: 10 },
  sets: 40,
  powerSets: 20,
  spreadRuns: 1,
  duration_s: 1.6,
  warmup_s: 0.2,
};

export const setting: Setting = env.BENCH_SHORT === undefined ? WHOLE : SHORT;

/** Long enough that some thousands of requests are in each, short enough that a trial has four and its pair sees the same machine. */
export const SLICE = "400ms";
