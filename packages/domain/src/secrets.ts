import { readFileSync, statSync } from "node:fs";

/** Settings that may stand in a file: NAME_FILE names it. Container engines hand secrets over that way. */
const SECRETS = ["AUTH_SECRET", "DATABASE_URL", "GITHUB_CLIENT_SECRET", "SMTP_URL"] as const;
const MAX_BYTES = 65_536;

type Source = Readonly<Record<string, string | undefined>>;

/** The environment with each secret that stands in a file. Throws one sentence that names what is wrong. */
export function withSecretFiles(source: Source): Record<string, string | undefined> {
  const read = SECRETS.flatMap((name) => {
    const file = source[`${name}_FILE`];
    if (!file) return [];
    if (source[name]) throw new Error(`Set ${name} or ${name}_FILE, not both.`);
    return [[name, secretIn(file, `${name}_FILE`)] as const];
  });
  return { ...source, ...Object.fromEntries(read) };
}

function secretIn(file: string, setting: string): string {
  let text: string;
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error("it is longer than 64 KiB");
    text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (cause) {
    throw new Error(`${setting} names ${file}, which cannot be read: ${(cause as Error).message}.`, {
      cause,
    });
  }
  if (text === "") throw new Error(`${setting} names ${file}, which is empty.`);
  return text;
}
