import { resolve } from "node:path";
import { z } from "zod";

export const root = resolve(import.meta.dirname, "../..");

/** The one place where this package reads the environment. */
export const env = z
  .object({
    CHROMIUM: z.string().default("/usr/bin/chromium"),
    /** The agent under test. */
    RIGMARK_AGENT: z.string().default(resolve(root, "target/release/rigmark")),
    /** What `./rig release` made; journeys that need it say so when it is not there. */
    RIGMARK_RELEASE: z.string().default(resolve(root, ".rig/release")),
    /** Where pictures for README and docs go; unset keeps them out of the tree. */
    RIGMARK_PICTURES: z.string().optional(),
    /** Set: pages are checked at all three widths in both themes, and not at two of the six. */
    RIGMARK_EVERY_LOOK: z.string().optional(),
    /** Suites that the journey runs, by name and with commas; one that needs little unless it is set. `all`: every one. */
    RIGMARK_SUITES: z.string().default("epoll-vs-io-uring"),
    /** Moments at which the publication of a long run is cut off. */
    RIGMARK_CUTS: z.coerce.number().int().min(1).default(4),
    /** How long a suite's quick run may take. */
    RIGMARK_SUITE_MINUTES: z.coerce.number().positive().default(20),
  })
  .parse(process.env);

/** For child processes: what we were started with, less what would steer them. */
export const inherited: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(RIGMARK_|VITEST|NODE_OPTIONS|NODE_ENV|CI$)/.test(name)),
) as NodeJS.ProcessEnv;
