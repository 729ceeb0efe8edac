// cspell:ignore prots
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
