import { Id, RunSpec as RunSpecSchema, RunState, Source as SourceSchema } from "@rigmark/protocol";
import { z } from "zod";
import { WorkspaceSlug } from "../view/scalar";
import { Address, At, PageQuery } from "./scalar";

/** Codes of packages/stats as the API writes them. */
export const Verdict = z.enum(["faster", "slower", "no difference shown", "not comparable"]);
type Code = "faster" | "slower" | "no-difference" | "not-comparable";
export const publicVerdict = (code: Code | null): z.infer<typeof Verdict> | null =>
  code === "no-difference" ? "no difference shown" : code === "not-comparable" ? "not comparable" : code;

export const PublicRunSpec = RunSpecSchema.meta({
  id: "RunSpec",
  description: "What to measure: names from the host's catalog, and numbers within ranges.",
});
export const PublicSource = SourceSchema.meta({
  id: "Source",
  description: "Which commit was measured, as stated by whoever queued or published the run.",
});

export const VerdictEntry = z.object({
  label: z.string(),
  verdict: Verdict.nullable().describe(
    "Against the baseline; null for the baseline itself and below five blocks.",
  ),
  ratio: z.number().nullable().describe("The entry's metric ÷ the baseline's."),
  low: z.number().nullable().describe("Where the 95 % confidence interval of the ratio begins."),
  high: z.number().nullable().describe("Where it ends."),
});
export const RunVerdict = z
  .object({
    sentence: z.string(),
    scenarios: z.array(z.object({ scenario: z.string(), title: z.string(), entries: z.array(VerdictEntry) })),
  })
  .meta({ id: "Verdict" });

export const RunBrief = z
  .object({
    id: Id,
    workspace: WorkspaceSlug,
    title: z.string(),
    state: RunState.describe("`succeeded`, `failed`, `cancelled`, `timed_out` and `incomplete` are final."),
    host: z.object({ id: Id, name: z.string() }),
    queued_at: At,
    started_at: At.nullable(),
    ended_at: At.nullable(),
    url: Address.describe("The run's page, for members of the workspace."),
    spec: PublicRunSpec,
    source: PublicSource.nullable(),
    published_by: z.string().nullable().describe("Who published it; null: it was queued here."),
    failure: z.string().nullable().describe("What went wrong, and what to do next."),
    verdict: RunVerdict.nullable().describe("Null until the run is over and has a result."),
  })
  .meta({ id: "Run" });
export type RunBrief = z.infer<typeof RunBrief>;
export type RunVerdict = z.infer<typeof RunVerdict>;

export const RunFilter = PageQuery.extend({
  state: RunState.optional(),
  host: z.string().min(1).max(200).optional().describe("Id or exact name of a host."),
  repository: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe("`owner/name`, or any address of the repository. The host name in it is ignored."),
  branch: z.string().min(1).max(200).optional(),
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,40}$/, "write 7 to 40 small hexadecimal digits")
    .optional()
    .describe("The commit, or its first 7 digits or more."),
  pull_request: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
});
export type RunFilter = z.infer<typeof RunFilter>;

export const RunRequest = z
  .strictObject({
    host: z.string().min(1).max(200).describe("Id or exact name of a host of the workspace."),
    spec: PublicRunSpec,
    source: PublicSource.nullable().optional(),
  })
  .meta({ id: "RunRequest" });
export type RunRequest = z.infer<typeof RunRequest>;
