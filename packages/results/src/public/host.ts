import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { At } from "./scalar";

export const HostBrief = z
  .object({
    id: Id,
    name: z.string(),
    kind: z
      .enum(["agent", "published"])
      .describe("`agent`: takes runs. `published`: known only by runs that were published from it."),
    online: z.boolean().describe("The app heard from the agent within the last minute."),
    last_seen_at: At.nullable(),
    os: z.enum(["linux", "macos"]).nullable(),
    arch: z.enum(["x86_64", "aarch64", "arm"]).nullable(),
    cpu_model: z.string().nullable(),
    cores: z.int().nullable().describe("CPUs that are online."),
    agent_version: z.string().nullable(),
  })
  .meta({ id: "Host" });
export type HostBrief = z.infer<typeof HostBrief>;
