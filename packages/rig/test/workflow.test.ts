import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { inherited } from "../src/env";
import { root } from "../src/paths";
import { publicKey, signingKey } from "../src/release/sign";

interface Workflow {
  jobs: { release: { steps: { name?: string; run?: string }[] } };
}

test("a release in CI signs with the secret, and makes no key that is lost", () => {
  const file = join(root, ".github/workflows/release.yml");
  const { steps } = (parse(readFileSync(file, "utf8")) as Workflow).jobs.release;
  const key = steps.findIndex(({ name }) => name === "The key of releases");
  expect(steps[key + 1]?.run).toBe("./rig release");

  const dir = mkdtempSync(join(tmpdir(), "rigmark-workflow-"));
  try {
    const settings = join(dir, "env");
    const keyStep = (secret: string): string => {
      rmSync(settings, { force: true });
      execFileSync("sh", ["-e", "-c", steps[key]?.run ?? "exit 1"], {
        env: { ...inherited, KEY: secret, RUNNER_TEMP: dir, GITHUB_ENV: settings },
        stdio: "ignore",
      });
      return readFileSync(settings, "utf8");
    };
    expect(keyStep("")).toBe("RIGMARK_RELEASE_KEY=none\n");
    const own = signingKey(join(dir, "own"));
    const given = join(dir, "release-key");
    // A secret has no line feed at its end.
    expect(keyStep(readFileSync(join(dir, "own"), "utf8").trimEnd())).toBe(`RIGMARK_RELEASE_KEY=${given}\n`);
    expect(statSync(given).mode & 0o777).toBe(0o600);
    expect(publicKey(signingKey(given))).toBe(publicKey(own));
  } finally {
    rmSync(dir, { recursive: true });
  }
});
