import { join } from "node:path";
import { must } from "./exec";
import { root } from "./paths";

/** Prisma's client, the statistics as WebAssembly, the bundled autocannon. Turbo skips what is unchanged. */
export const generate = (): Promise<void> => turbo("generating code", "generate", ["run", "generate"]);

export const turbo = (what: string, log: string, args: string[]): Promise<void> =>
  must(
    what,
    join(root, "node_modules", ".bin", "turbo"),
    [...args, "--env-mode=loose", "--output-logs=errors-only", "--no-color"],
    { log },
  );
