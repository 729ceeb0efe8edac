import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { scenarios, suites } from "../src/index";

const all = [...scenarios()];

describe("scenarios", () => {
  it.each(all)("%s is called what its id says", (file, scenario) => {
    expect(file).toBe(`${scenario.id}.json`);
  });

  it("have titles of their own", () => {
    expect(new Set(all.map(([, s]) => s.title)).size).toBe(all.length);
  });

  it.each(all)("%s asks for what its workload answers", (_file, scenario) => {
    const sizes: Record<string, number> = {
      "/plaintext": 13,
      "/1k.bin": 1024,
      "/1m.bin": 1024 ** 2,
      "/10m.bin": 10 * 1024 ** 2,
      "/script.js": 1024,
      "/large.js": 280 * 1024,
    };
    expect(scenario.body_bytes).toBe(sizes[scenario.path]);
    expect(scenario.workload).toBe(scenario.path === "/plaintext" ? "plaintext" : "static");
  });

  it.each(all)("%s has thresholds that the k6 script can read", (_file, scenario) => {
    for (const line of scenario.thresholds ?? []) expect(line).toMatch(/^[a-z_]+: .*[<>=]/);
    if (scenario.thresholds) expect(scenario.tool).toBe("k6");
  });
});

describe("suites", () => {
  it.each([...suites()])("%s names scenarios that exist", (file, suite) => {
    expect(file).toBe(`${suite.id}.json`);
    for (const id of suite.scenarios) expect(all.map(([, s]) => s.id)).toContain(id);
  });
});

describe("tool scripts", () => {
  it("reach nothing but the address that they are given", () => {
    for (const name of ["autocannon.mjs", "k6-http.js"]) {
      const text = readFileSync(new URL(`../tools/${name}`, import.meta.url), "utf8");
      expect(text.match(/https?:\/\/(?!127\.0\.0\.1)/g)).toBeNull();
    }
  });
});
