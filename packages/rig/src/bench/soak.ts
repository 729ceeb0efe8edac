import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { must } from "../exec";
import { root } from "../paths";
import { answer, say, seconds } from "../say";
import { command, type Suite } from "../suite";
import { numberOf } from "./option";

const USUAL_S = 300;

/** Property tests of one toolchain, and how it is told the seed. */
interface Soaked {
  name: string;
  seed: "PROPTEST_RNG_SEED" | "FAST_CHECK_SEED";
  argv: [string, ...string[]];
  /** Below the root. */
  folder: string;
}

const cargo = ["cargo", "test", "--workspace", "--locked", "--lib", "--test", "properties"] as const;

interface Failure {
  name: string;
  seed: number;
  command: string;
}

/** Every property test, of which the usual tests draw the same inputs each time. */
export const soaked = (): Soaked[] => [
  {
    name: "property tests in Rust",
    seed: "PROPTEST_RNG_SEED",
    argv: [...cargo],
    folder: ".",
  },
  ...readdirSync(join(root, "packages")).flatMap((name) => {
    const folder = `packages/${name}`;
    const files = usesFastCheck(folder);
    const argv: [string, ...string[]] = ["pnpm", "run", "test", ...files];
    const what = { name: `property tests of ${name}`, seed: "FAST_CHECK_SEED" as const, argv, folder };
    return files.length > 0 ? [what] : [];
  }),
];

function usesFastCheck(folder: string): string[] {
  const tests = join(root, folder, "test");
  const isTest = (file: string): boolean =>
    file.endsWith(".test.ts") && readFileSync(join(tests, file), "utf8").includes("fast-check");
  try {
    return readdirSync(tests)
      .filter(isTest)
      .map((file) => `test/${file}`);
  } catch {
    return []; // It has no tests.
  }
}

/** `./rig bench soak [--seconds N]`: with drawn seeds, until the time is over or one fails. */
export async function soak(argv: readonly string[]): Promise<number> {
  const limit_s = numberOf("soak", "--seconds", USUAL_S, argv);
  const [program, ...args] = cargo;
  await must("property tests", program, [...args, "--no-run"], { log: "soak-build" });
  const began = Date.now();
  let rounds = 0;
  let failed: Failure | null = null;
  do {
    for (const each of soaked()) failed ??= await round(each, randomInt(2 ** 31));
    rounds += 1;
  } while (!failed && Date.now() - began < limit_s * 1000);
  say(`${rounds} rounds in ${seconds(Date.now() - began)}`);
  answer(JSON.stringify({ bench: "soak", rounds, failed }));
  return failed ? 1 : 0;
}

async function round({ name, seed: variable, argv, folder }: Soaked, seed: number): Promise<Failure | null> {
  const suite: Suite = command(name, argv, { cwd: join(root, folder), env: { [variable]: String(seed) } });
  const outcome = await suite.run();
  if (outcome.status !== "failed") return null;
  const repeat = `(cd ${folder} && ${variable}=${seed} ${argv.join(" ")})`;
  for (const line of outcome.why.split("\n")) say(`  ${line}`);
  say(`${name} failed with the seed ${seed}. To repeat it: ${repeat}`);
  return { name, seed, command: repeat };
}
