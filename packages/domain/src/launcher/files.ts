import { join } from "node:path";
import { ArchiveBuild, ReleaseTarget } from "@rigmark/results/network";
import { z } from "zod";

/** No file of these is larger. */
export const MOST_BYTES = 8192;

/** What a running `./rig up` leaves for the app. */
export const LauncherNote = z.strictObject({
  schema: z.literal(1),
  /** The app asks nothing of a process that has ended. */
  pid: z.int().min(2),
  /** A request names it, so that only the `up` that was asked acts on it. */
  nonce: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  may: z.enum(["open", "close"]).nullable(),
  last: z.strictObject({ id: z.uuid(), problem: z.string().max(1000).nullable() }).nullable(),
});
export type LauncherNote = z.infer<typeof LauncherNote>;

const asked = {
  schema: z.literal(1),
  id: z.uuid(),
  nonce: LauncherNote.shape.nonce,
  /** Milliseconds since 1970; a request that nobody took is void after a minute. */
  at: z.int(),
};
/** What the app may ask for: two things, and nothing in them is free text. */
export const LauncherRequest = z.discriminatedUnion("action", [
  z.strictObject({
    ...asked,
    action: z.literal("open"),
    /** One of the machine's own; the launcher looks again. */
    address: z.ipv4(),
    first: ReleaseTarget,
  }),
  z.strictObject({ ...asked, action: z.literal("close") }),
]);
export type LauncherRequest = z.infer<typeof LauncherRequest>;

/** How far the process `pid` is with building the archives. */
export const Archives = z.strictObject({
  schema: z.literal(1),
  pid: z.int().min(2),
  held: z.boolean(),
  builds: z.array(ArchiveBuild).max(ReleaseTarget.options.length),
});
export type Archives = z.infer<typeof Archives>;

/** Where they are in the folder of an installation. */
export const filesOf = (stateDir: string) => ({
  note: join(/* turbopackIgnore: true */ stateDir, "launcher.json"),
  request: join(/* turbopackIgnore: true */ stateDir, "request.json"),
  archives: join(/* turbopackIgnore: true */ stateDir, "archives.json"),
});
