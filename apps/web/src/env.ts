import {
  NETWORKS_WORDS,
  type Networks,
  parseNetworks,
  WEBHOOK_NETWORKS_WORDS,
} from "@rigmark/domain/networks";
import { withSecretFiles } from "@rigmark/domain/secrets";
import { SIGN_UP, SIGN_UP_WORDS } from "@rigmark/results/settings";
import { z } from "zod";

const ORIGIN = /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/;

const Quota = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, "must be a whole number above 0")
  .transform(Number)
  .optional();

/** The one place where the app reads the environment. What is empty counts as unset. */
const Env = z
  .object({
    DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must start with postgresql://"),
    /** What links are made of: an origin, without a path. */
    PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: "must be an http or https address" })
      .refine((url) => URL.canParse(url) && new URL(url).pathname === "/", "must have no path")
      .transform((url) => new URL(url).origin)
      // It stands in a script that people run.
      .refine((origin) => ORIGIN.test(origin), "must have a host of letters, digits, dots and hyphens"),
    /** Networks that proxies before this app connect from; from anybody else X-Forwarded-For is not believed. */
    TRUSTED_PROXIES: z
      .string()
      .default("")
      .transform((text, about): Networks => {
        const read = parseNetworks(text);
        if (read) return read;
        about.addIssue(NETWORKS_WORDS);
        return z.NEVER;
      }),
    /** Private networks that webhooks may reach; others are refused, since anybody may enter an address. */
    WEBHOOK_NETWORKS: z
      .string()
      .default("")
      .transform((text, about): Networks | null => {
        if (text === "") return null;
        const read = parseNetworks(text);
        if (read) return read;
        about.addIssue(WEBHOOK_NETWORKS_WORDS);
        return z.NEVER;
      }),
    /** Who may make an account: anybody, nobody, or whoever has an address at this domain. */
    SIGN_UP: z
      .string()
      .regex(SIGN_UP, SIGN_UP_WORDS)
      .transform((text) => text.toLowerCase())
      .default("closed"),
    /** What each workspace may have at most. */
    QUOTA_HOSTS: Quota,
    QUOTA_QUEUED_RUNS: Quota,
    QUOTA_STORED_GIB: Quota,
    QUOTA_LIVE_STREAMS: Quota,
    AUTH_SECRET: z.string().min(32, "must have at least 32 characters"),
    PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
    /** Where mails are written when no mail server is set. */
    STATE_DIR: z.string().default(".rig"),
    /** Agents, k6 and their checksums, as `./rig release` packs them. */
    RELEASE_DIR: z.string().optional(),
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\//, "must start with smtp:// or smtps://")
      .optional(),
    MAIL_FROM: z.string().default("Rigmark <rigmark@localhost>"),
    GITHUB_CLIENT_ID: z.string().optional(),
    GITHUB_CLIENT_SECRET: z.string().optional(),
    LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  })
  .refine((e) => !e.GITHUB_CLIENT_ID === !e.GITHUB_CLIENT_SECRET, {
    path: ["GITHUB_CLIENT_SECRET"],
    message: "and GITHUB_CLIENT_ID go together",
  });
export type Env = z.infer<typeof Env>;

let known: Env | undefined;

/** Read when first asked for, so that the app can be built without settings. */
export function env(): Env {
  known ??= parseEnv(process.env);
  return known;
}

/** Throws one sentence that names what is wrong. */
export function parseEnv(given: Record<string, string | undefined>): Env {
  const source = withSecretFiles(given);
  const set = Object.entries(source).filter(([, value]) => value !== "");
  const port = source.PORT || "3000";
  const read = Env.safeParse({ PUBLIC_URL: `http://127.0.0.1:${port}`, ...Object.fromEntries(set) });
  if (read.success) return read.data;
  const wrong = read.error.issues.map((issue) => {
    const name = issue.path.join(".");
    return source[name] ? `${name} ${issue.message}` : `${name} is not set`;
  });
  throw new Error(`The environment is not complete: ${wrong.join("; ")}. \`./rig up\` sets all of it.`);
}
