import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { migrate } from "../src/migrate/index";

/** `pnpm db:migrate`: brings the database of DATABASE_URL, from the environment or apps/web/.env, to the newest schema. */
const file = new URL("../../../apps/web/.env", import.meta.url);
const url = process.argv[2] || (existsSync(file) ? parseEnv(readFileSync(file, "utf8")).DATABASE_URL : "");
if (!url) {
  process.stderr.write("DATABASE_URL is not set: copy .env.example to apps/web/.env and set it there.\n");
  process.exit(2);
}
const applied = await migrate(url);
process.stdout.write(
  applied.length === 0 ? "The schema is the newest.\n" : `Applied ${applied.join(", ")}.\n`,
);
