import { readFileSync } from "node:fs";
import type { Scenario } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { scenarios } from "../src/index";

const all = [...scenarios()];
const FILES: Record<string, number> = {
  "/1k.bin": 1024,
  "/1m.bin": 1024 ** 2,
  "/10m.bin": 10 * 1024 ** 2,
  "/script.js": 1024,
  "/large.js": 280 * 1024,
};
const GREETING = '{"text": "Hello from connection 0 - message 0"}';

/** Bytes of the smallest right response to what the scenario asks; undefined when it asks for nothing that is answered. */
function smallestResponse({ workload, path, payload }: Scenario): number | undefined {
  switch (workload) {
    case "plaintext":
      return path === "/plaintext" && !payload ? "Hello, World!".length : undefined;
    case "static":
      return payload ? undefined : FILES[path];
    case "json-sum":
      return path === "/json-sum" && payload?.kind === "numbers" ? "sum = 0".length : undefined;
    case "upload":
      return path === "/upload" && (payload?.kind === "bytes" || payload?.kind === "text") ? 64 : undefined;
    case "ws-echo":
      if (path !== "/ws") return undefined;
      if (payload?.kind === "greeting") return GREETING.length;
      return payload?.kind === "bytes" || payload?.kind === "text" ? payload.bytes : undefined;
  }
}

describe("scenarios", () => {
  it.each(all)("%s is called what its id says", (file, scenario) => {
    expect(file).toBe(`${scenario.id}.json`);
  });

  it("have titles of their own", () => {
    expect(new Set(all.map(([, s]) => s.title)).size).toBe(all.length);
  });

  it.each(all)("%s names its tool in its title", (_file, scenario) => {
    expect(scenario.title).toContain(`, ${scenario.tool}`);
    expect(scenario.title.length).toBeLessThanOrEqual(72);
  });

  it.each(all)("%s asks for what its workload answers", (_file, scenario) => {
    const bytes = smallestResponse(scenario);
    expect(bytes).toBeDefined();
    expect(scenario.body_bytes).toBe(bytes);
  });

  it.each(all)("%s has a load that can be", (_file, { load, tool, latency_until }) => {
    // Each connection of a tool run is used.
    if (load.kind === "count") expect(load.requests).toBeGreaterThanOrEqual(load.connections);
    // A search goes upwards, and only one tool does it.
    if (load.kind === "knee") {
      expect(load.most_per_s).toBeGreaterThan(load.start_per_s);
      expect(tool).toBe("loadgen");
    }
    // Requests that queue behind others have no first byte of their own.
    if (latency_until === "first-byte") expect(load.connections).toBe(1);
  });

  it.each(all)("%s has thresholds that the k6 script can read", (_file, scenario) => {
    for (const line of scenario.thresholds ?? []) expect(line).toMatch(/^[a-z_]+: .*[<>=]/);
    if (scenario.thresholds) expect(scenario.tool).toBe("k6");
  });
});

describe("tool scripts", () => {
  it("reach nothing but the address that they are given", () => {
    for (const name of ["autocannon.mjs", "k6-http.js", "k6-ws.js", "wrk.lua"]) {
      const text = readFileSync(new URL(`../tools/${name}`, import.meta.url), "utf8");
      expect(text.match(/https?:\/\/(?!127\.0\.0\.1)/g)).toBeNull();
    }
  });
});
