// cspell:ignore prots
import { expect, test } from "vitest";
import { composeFiles, composeProblems } from "../src/check/compose";

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
