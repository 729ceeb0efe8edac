import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const program = join(import.meta.dirname, "../src/noisy/disturber.py");
const disturber = (...args: string[]) => spawnSync("python3", [program, ...args], { encoding: "utf8" });
const bursts = (seed: string): number[] =>
  Object.values(
    JSON.parse(disturber("--draw", "200", "--seed", seed).stdout) as Record<string, number[]>,
  ).flat();

describe.runIf(process.platform === "linux")("the disturber", () => {
  test("draws its bursts from the seed, of 5 to 200 ms, as many above as below their geometric mean", () => {
    const drawn = bursts("7");
    expect(drawn).toEqual(bursts("7"));
    expect(drawn).not.toEqual(bursts("8"));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0.005);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(0.2);
    const below = drawn.filter((seconds) => seconds < Math.sqrt(0.005 * 0.2)).length / drawn.length;
    expect(below).toBeGreaterThan(0.4);
    expect(below).toBeLessThan(0.6);
  });

  test("refuses a share that the kernel does not allow", () => {
    const refused = disturber("--share", "0.2..1");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("from 0 to 0.9");
  });

  test("takes nothing where the share is 0", () => {
    const ended = JSON.parse(disturber("--share", "0", "--seconds", "0.3").stdout);
    expect(ended.cpus.length).toBeGreaterThan(0);
    expect(ended.share).toBeLessThan(0.1);
  });

  test("ends at SIGTERM, says what it took, and leaves nothing", async () => {
    const child = spawn("python3", [program, "--share", "0.2"]);
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
    });
    const closed = new Promise((done) => child.on("close", done));
    const begun = await new Promise((said) => child.stderr.once("data", (data) => said(String(data))));
    expect(begun).toContain("has begun");
    const pids = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
    expect(pids.every((pid) => Number(pid) > 1)).toBe(true);
    child.kill("SIGTERM");
    // The exit code, once all who could write have closed the pipe.
    expect(await closed).toBe(0);
    const ended = JSON.parse(text);
    expect(ended.cpus.every((cpu: { ended: boolean }) => cpu.ended)).toBe(true);
    expect(ended.share).toBeGreaterThanOrEqual(0);
    expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  });
});
