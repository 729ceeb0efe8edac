import { isNetworks, NETWORKS_WORDS, WEBHOOK_NETWORKS_WORDS } from "@rigmark/domain/networks";
import { withSecretFiles } from "@rigmark/domain/secrets";
import { SIGN_UP, SIGN_UP_WORDS } from "@rigmark/results/settings";
import { z } from "zod";

/** The one place where the launcher reads the environment. */
const Env = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "DATABASE_URL must start with postgresql://")
    .optional(),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "PUBLIC_URL must be an http or https address" })
    .refine((url) => URL.canParse(url) && new URL(url).pathname === "/", "PUBLIC_URL must have no path")
    .refine(
      (url) => /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?\/?$/i.test(url),
      "PUBLIC_URL must have a host of letters, digits, dots and hyphens",
    )
    .optional(),
  /** For the web app: see docs/install.md. */
  TRUSTED_PROXIES: z.string().refine(isNetworks, `TRUSTED_PROXIES ${NETWORKS_WORDS}`).optional(),
  WEBHOOK_NETWORKS: z.string().refine(isNetworks, `WEBHOOK_NETWORKS ${WEBHOOK_NETWORKS_WORDS}`).optional(),
  SIGN_UP: z.string().regex(SIGN_UP, `SIGN_UP ${SIGN_UP_WORDS}`).optional(),
  /** The next four are of `serve`, in a container. */
  AUTH_SECRET: z.string().min(32, "AUTH_SECRET must have at least 32 characters").optional(),
  STATE_DIR: z.string().min(1).optional(),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, "PORT must be a number")
    .optional(),
  /** Where the key for the agent beside us is left. */
  ENROLL_KEY_FILE: z.string().min(1).optional(),
  /** When ./rig began, in seconds since 1970: what it installs is part of how long `up` takes. */
  RIG_BEGAN_S: z
    .string()
    .regex(/^\d{10,11}$/)
    .optional(),
  /** The key that signs releases, elsewhere than in .rig/release-key; `none`: they are not signed. */
  RIGMARK_RELEASE_KEY: z.string().min(1).optional(),
  /** Process that already builds the agent; ./rig started it before us. */
  RIG_BUILD_AHEAD: z.string().regex(/^\d+$/).optional(),
  /** Who measures on this host writes it there. */
  RIGMARK_LOCK: z.string().min(1).optional(),
  CARGO_TARGET_DIR: z.string().min(1).optional(),
  /** Proves the path of a long bench with a few small measurements. */
  BENCH_SHORT: z.literal("1", "BENCH_SHORT must be 1 or not set").optional(),
  CHROMIUM: z.string().min(1).optional(),
  PATH: z.string().default("/usr/local/bin:/usr/bin:/bin"),
  HOME: z.string().default("/"),
});
export type Env = z.infer<typeof Env>;

const read = parse();

function parse(): { data: Env; problem: null } | { data: Env; problem: string } {
  const wrong = (problem: string) => ({ data: Env.parse({}), problem });
  try {
    const set = Object.entries(withSecretFiles(process.env)).filter(([, value]) => value !== "");
    const { success, data, error } = Env.safeParse(Object.fromEntries(set));
    return success ? { data, problem: null } : wrong(error.issues.map((i) => i.message).join("; "));
  } catch (error) {
    return wrong((error as Error).message.replace(/\.$/, ""));
  }
}

/** What is wrong with it, for people; null when nothing is. */
export const envProblem: string | null = read.problem;
export const env: Env = read.data;
/** For child processes: all that we were started with. */
export const inherited: Readonly<Record<string, string | undefined>> = { ...process.env };
