// cspell:ignore prots
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { composeFiles, composeProblems } from "../src/check/compose";
import { root } from "../src/paths";

test("ours is sound, also with what replicas and a managed database change", () => {
  expect(composeFiles().map((file) => composeProblems(file))).toEqual([[], [], []]);
});

test("a word that Compose does not know is found", () => {
  expect(composeProblems("services: { web: { image: x, prots: ['1:1'] } }").join()).toContain(
    "additional properties",
  );
  expect(composeProblems("services: { web: { image: 7 } }").join()).toContain("/services/web/image");
});

test("names that point at nothing are found", () => {
  const text = "services: { web: { image: x, depends_on: [db], volumes: ['data:/data', './here:/here'] } }";
  expect(composeProblems(text)).toEqual([
    "web depends on db, which is not there",
    "web uses the volume data, which is not declared",
  ]);
  const named = `services: { web: { image: x, networks: [front], volumes: ['\${DATA:-data}:/data'] } }`;
  expect(composeProblems(named)).toEqual([
    "web uses the volume data, which is not declared",
    "web is in the network front, which is not declared",
  ]);
});

test("the agent's container may not use up the machine's processes, and its owner may limit its memory", () => {
  const [ours = ""] = composeFiles();
  expect(ours).toContain(`pids_limit: \${AGENT_PIDS:-16384}\n`);
  expect(ours).toContain(`mem_limit: \${AGENT_MEMORY:-0}\n`);
});

test("what the agent's container asks for when it has no key reaches it", () => {
  const [ours = ""] = composeFiles();
  const script = readFileSync(join(root, "deploy/docker/agent.sh"), "utf8");
  const [advice = ""] = /There is no enrollment key: .*/.exec(script) ?? [];
  const named = [...advice.matchAll(/RIGMARK_\w+/g)].map(([name]) => name);
  expect(named).toEqual(["RIGMARK_ENROLL_KEY", "RIGMARK_ENROLL_KEY_FILE"]);
  for (const name of named) expect(ours).toContain(`      ${name}: \${${name}:-`);
});

test("the agent's container enrolls once with each key that it is given", () => {
  const at = mkdtempSync(join(tmpdir(), "rigmark-agent-"));
  onTestFinished(() => rmSync(at, { recursive: true }));
  const rigmark = `#!/bin/sh
    [ "$1" != enroll ] || echo "\${RIGMARK_ENROLL_KEY:-} $*" >>"${at}/enrolled"
    case "$1 \${RIGMARK_ENROLL_KEY:-}" in
      "enroll used") exit 1 ;;
      enroll*) echo "{}" >"${at}/identity.json" ;;
      *) echo "\${RIGMARK_ENROLL_KEY-no key} $*" ;;
    esac\n`;
  writeFileSync(join(at, "rigmark"), rigmark, { mode: 0o755 });
  /** Starts it and says what it enrolled with. */
  const start = (given: Record<string, string>): string => {
    writeFileSync(join(at, "enrolled"), "");
    const env = { PATH: `${at}:/usr/bin:/bin`, RIGMARK_STATE: at, RIGMARK_URL: "http://web", ...given };
    const agent = execFileSync("sh", [join(root, "deploy/docker/agent.sh")], {
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(agent).toBe("no key agent --allow-http\n");
    return readFileSync(join(at, "enrolled"), "utf8");
  };
  const file = join(at, "key");
  writeFileSync(file, "first\n");
  expect(start({ RIGMARK_ENROLL_KEY_FILE: file })).toBe("first enroll --url http://web --allow-http\n");
  expect(start({ RIGMARK_ENROLL_KEY_FILE: file })).toBe("");
  expect(start({ RIGMARK_ENROLL_KEY: "first" })).toBe("");
  expect(start({})).toBe("");
  // Of an agent before this, nobody knows the key.
  rmSync(join(at, "enrolled-with"));
  const replaced = (key: string): string => `${key} enroll --url http://web --allow-http --replace\n`;
  expect(start({ RIGMARK_ENROLL_KEY: "used" })).toBe(replaced("used"));
  expect(start({ RIGMARK_ENROLL_KEY: "second" })).toBe(replaced("second"));
  expect(start({ RIGMARK_ENROLL_KEY: "second" })).toBe("");
});
