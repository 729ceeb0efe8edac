import { Id, RunState } from "@rigmark/protocol";
import { z } from "zod";
import { PublicRunSpec, PublicSource } from "./run";
import { At } from "./scalar";

const part = z.record(z.string(), z.unknown());
const parts = z.array(part);

/** The fields of a run in the JSON of a report. What they hold is the report's to say. */
export const RunSnapshot = z
  .object({
    run_id: Id,
    title: z.string(),
    state: RunState,
    started_at: At.nullable(),
    finished_at: At.nullable(),
    source: PublicSource.nullable(),
    published_by: z.string().nullable(),
    spec: PublicRunSpec,
    gaps: z.array(z.string()).describe("Ways in which the run is incomplete, as sentences."),
    entries: parts.describe("The servers that compete, in the order of the plan."),
    scenarios: parts,
    blocks: part.nullable(),
    trials: parts.describe("With what the load tool reported and what the trial used."),
    verify: parts,
    labels: parts,
    environment: part.nullable().describe("The machine and its programs."),
    summary: part.nullable().describe("Medians, ratios, intervals, verdicts and sentences."),
    repeat_command: z.string(),
  })
  .meta({ id: "RunSnapshot" });
export type RunSnapshot = z.infer<typeof RunSnapshot>;
