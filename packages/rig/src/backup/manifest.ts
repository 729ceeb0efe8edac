import { z } from "zod";
import { env } from "../env";
import { CommandError } from "../say";

/** The first file of a backup. */
export const MANIFEST = "backup.json";
export const FORMAT = 1;
export const Manifest = z.object({
  format: z.int(),
  /** Version of Rigmark. */
  rigmark: z.string(),
  /** Major version of PostgreSQL. */
  postgres: z.int(),
  made_at: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

export function refuseOtherDatabase(command: "backup" | "restore"): void {
  if (env.DATABASE_URL === undefined) return;
  throw new CommandError(
    `./rig ${command} is for the embedded PostgreSQL, and DATABASE_URL names another one, which has tools of its own: docs/deploy.md says how, under Backup.`,
  );
}
