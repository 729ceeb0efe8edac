import { z } from "zod";

/** Each code has one HTTP status. Programs act on the code, people read `detail`. */
export const PROBLEMS = {
  unauthorized: [401, "No valid token"],
  forbidden: [403, "Not allowed"],
  not_found: [404, "Not found"],
  method_not_allowed: [405, "Method not allowed"],
  conflict: [409, "Conflict"],
  gone: [410, "Gone"],
  too_large: [413, "Too large"],
  invalid: [422, "Invalid request"],
  idempotency_mismatch: [422, "Idempotency-Key used for another request"],
  too_many: [429, "Too many requests"],
  internal: [500, "Something went wrong in the app"],
  unavailable: [503, "Not available at the moment"],
} as const satisfies Record<string, readonly [number, string]>;
export type ProblemCode = keyof typeof PROBLEMS;

/** RFC 9457. The body of every response that is not 2xx or 304. */
export const Problem = z
  .looseObject({
    type: z.string().describe("Address of the documentation of this code."),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe("What happened, and what to do next."),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    errors: z
      .array(z.object({ path: z.string(), detail: z.string() }))
      .optional()
      .describe("With `invalid`: each wrong field."),
  })
  .meta({ id: "Problem", description: "An error in the format of RFC 9457." });
export type Problem = z.infer<typeof Problem>;
