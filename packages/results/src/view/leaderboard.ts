import { Load, ToolName } from "@rigmark/protocol";
import { z } from "zod";
import { MOST_CHOSEN, MOST_EXPLORE } from "../explore";
import { LEFT_OUT } from "../leaderboard";
import { Moment, ReportSlug } from "./scalar";
import { ScenarioSummary } from "./summary";

/** What ranks. */
const Metric = ScenarioSummary.shape.metric.exclude(["first_byte_p50_us"]);

/** A scenario of which public reports have ratios to nginx. */
export const LeaderboardName = z.object({
  scenario: z.string(),
  title: z.string(),
  tool: ToolName,
  /** Entries that it lists. */
  entries: z.int(),
});

export const LeaderboardFilter = z.object({
  arch: z.string().min(1).max(MOST_EXPLORE).optional(),
  /** Model and number of CPUs, such as `Cortex-A76 × 4`. */
  cpu: z.string().min(1).max(MOST_EXPLORE).optional(),
});

const Chosen = z.array(z.string().min(1).max(MOST_EXPLORE)).max(MOST_CHOSEN).optional();
export const MatrixFilter = LeaderboardFilter.extend({
  /** Words of label or server; `!word`: rows without it. */
  q: z.string().min(1).max(MOST_EXPLORE).optional(),
  /** Labels; none: all of them. */
  entry: Chosen,
  /** Names of scenarios; none: all of them. */
  scenario: Chosen,
});

export const LeaderboardRow = z.object({
  label: z.string(),
  server: z.string(),
  /** To nginx in the same run, with the interval of the report. */
  ratio: z.object({ estimate: z.number(), low: z.number(), high: z.number() }),
  verdict: z.enum(["faster", "slower", "no-difference"]),
  machine: z.string(),
  slug: ReportSlug,
  /** Place of its run on the report's page, from 1. */
  run: z.int(),
  created_at: Moment,
});

export const Leaderboard = z.object({
  scenario: z.string(),
  title: z.string(),
  tool: ToolName,
  metric: Metric,
  /** What the tool sends to each server of the table, and how; null where what is stored cannot be read. */
  request: z.object({ path: z.string(), load: Load }).nullable(),
  /** Best ratio first. Of several results of a workspace on the same CPU the newest one. */
  rows: z.array(LeaderboardRow),
  left_out: z.array(z.object({ why: z.enum(LEFT_OUT), entries: z.int() })),
  /** Machines to filter by: of each what fits the other one that is chosen. */
  archs: z.array(z.string()),
  cpus: z.array(z.string()),
});

/** Servers on CPUs, under every scenario. */
export const LeaderboardMatrix = z.object({
  /** Those with most entries first. */
  scenarios: z.array(z.object({ scenario: z.string(), title: z.string(), tool: ToolName, metric: Metric })),
  /** A row for each label and CPU, with a cell a scenario: the newest one. */
  rows: z.array(
    z.object({
      label: z.string(),
      server: z.string(),
      cpu: z.string(),
      arch: z.string(),
      /** How many times as good as nginx under all scenarios shown: the geometric mean; null where one is missing. */
      overall: z.number().nullable(),
      cells: z.array(LeaderboardRow.nullable()),
    }),
  ),
  /** Rows that had no room. */
  left_out: z.int(),
  /** What there is to choose from, whatever is chosen now. */
  choices: z.object({
    entry: z.array(z.string()),
    scenario: z.array(z.object({ scenario: z.string(), title: z.string() })),
  }),
  /** Machines of the chosen servers and scenarios: of each what fits the other one that is chosen. */
  archs: z.array(z.string()),
  cpus: z.array(z.string()),
});

export type LeaderboardMatrix = z.infer<typeof LeaderboardMatrix>;
export type LeaderboardName = z.infer<typeof LeaderboardName>;
export type MatrixFilter = z.infer<typeof MatrixFilter>;
export type LeaderboardFilter = z.infer<typeof LeaderboardFilter>;
export type LeaderboardRow = z.infer<typeof LeaderboardRow>;
export type Leaderboard = z.infer<typeof Leaderboard>;
