import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { attempt, faults, limitTime } from "../src/bench/attempt";
import { atMost } from "../src/bench/figure";
import { run } from "../src/bench/index";
import { withStack } from "../src/bench/stack";
import { whenInterrupted } from "../src/interrupt";
import { CommandError } from "../src/say";

vi.mock("../src/bench/stack", () => ({ withStack: vi.fn() }));
vi.mock("../src/interrupt", () => ({ whenInterrupted: vi.fn() }));
vi.mock("../src/bench/idle", () => ({ idle: async () => [atMost("idle_agent_rss", 9, "MiB", 15)] }));
vi.mock("../src/bench/page", () => ({
  page: async () => {
    throw new CommandError("There is no Chromium here.");
  },
}));
vi.mock("../src/bench/queue", () => ({
  queue: vi.fn(async () => [atMost("queue_to_start_p95", 2, "s", 1)]),
}));
vi.mock("../src/bench/live", () => ({ live: async () => [] }));
vi.mock("../src/bench/overhead", () => ({ overhead: async () => [] }));

const { queue } = await import("../src/bench/queue");
let out = "";

beforeEach(() => {
  out = "";
  faults.length = 0;
  limitTime(Number.POSITIVE_INFINITY);
  vi.mocked(withStack).mockImplementation(async (use) => use({} as never));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Name, value, holds and reason of each figure in the one line that was printed. */
const said = () => {
  expect(out.trimEnd().split("\n")).toHaveLength(1);
  const { bench, host, figures } = JSON.parse(out);
  expect(bench).toBe("quick");
  expect(host.cpus).toBeGreaterThan(0);
  return figures.map((f: Record<string, unknown>) => [f.name, f.value, f.holds, f.reason]);
};

test("a bench that fails does not end the others, and what was measured is a result", async () => {
  expect(await run([])).toBe(0);
  expect(said()).toEqual([
    ["idle_agent_rss", 9, true, null],
    ["page", null, null, "There is no Chromium here."],
    ["queue_to_start_p95", 2, false, null],
  ]);
});

test("an error that nobody expects is in the line, and the exit code tells of it", async () => {
  vi.mocked(queue).mockRejectedValueOnce(new TypeError("x is not a function"));
  expect(await run([])).toBe(1);
  expect(said()[2]).toEqual(["queue", null, null, "x is not a function"]);
});

test("without the app each bench is null with the reason, and nothing was measured", async () => {
  vi.mocked(withStack).mockRejectedValueOnce(new CommandError("the web app did not answer."));
  expect(await run([])).toBe(1);
  const figures = said();
  expect(figures).toHaveLength(5);
  expect(figures[4]).toEqual([
    "overhead",
    null,
    null,
    "The app could not be used: the web app did not answer.",
  ]);
});

test("a name that is none is bad usage", async () => {
  await expect(run(["nothing"])).rejects.toMatchObject({ exit: 2 });
});

test("an interrupt answers with what was measured until then, also within a bench", async () => {
  vi.mocked(queue).mockImplementationOnce(async () => {
    const part = await attempt([], async () => [atMost("queue_part", 1, "s", 1)]);
    await vi.mocked(whenInterrupted).mock.lastCall?.[0]();
    return part;
  });
  await run([]);
  out = `${out.split("\n")[0]}\n`;
  expect(said().map(([name, value, , reason]: unknown[]) => [name, value, reason])).toEqual([
    ["idle_agent_rss", 9, null],
    ["page", null, "There is no Chromium here."],
    ["queue_part", 1, null],
    ["queue", null, "It was interrupted."],
    ["live", null, "It was interrupted."],
    ["overhead", null, "It was interrupted."],
  ]);
});
