import { beforeEach, expect, test, vi } from "vitest";
import { attempt, Disturbed, faults, limitTime, type Surroundings } from "../src/bench/attempt";
import { atMost, type Figure, fact } from "../src/bench/figure";
import { parseTicks, taken } from "../src/bench/host";
import { CommandError } from "../src/say";

const promised = [atMost("latency", null, "ms", 5), fact("samples", null, "samples")];
const found = [atMost("latency", 3, "ms", 5), fact("samples", 12, "samples")];

/** A host whose clock stands still and whose waits are counted. */
const host = () => {
  const waits: number[] = [];
  const on: Surroundings = { now: () => 0, quieter: async (patience) => void waits.push(patience) };
  return { on, waits };
};
/** Fails so often, then measures. */
const failing = (times: number, error: () => Error) => {
  let left = times;
  return vi.fn(async (): Promise<Figure[]> => {
    if (left-- > 0) throw error();
    return found;
  });
};
const disturbed = () => new Disturbed("The hypervisor took 31 % of the time.");

beforeEach(() => {
  faults.length = 0;
  limitTime(Number.POSITIVE_INFINITY);
});

test("what fails twice for the host is tried a third time, after a wait each", async () => {
  const { on, waits } = host();
  const measure = failing(2, disturbed);
  expect(await attempt(promised, measure, { on })).toEqual(found);
  expect(measure).toHaveBeenCalledTimes(3);
  expect(waits).toHaveLength(2);
});

test("what the host never allows is null in each figure, with the reason", async () => {
  const { on, waits } = host();
  const measure = failing(9, disturbed);
  const figures = await attempt(promised, measure, { on });
  expect(measure).toHaveBeenCalledTimes(3);
  expect(waits).toHaveLength(2);
  const reason = "The hypervisor took 31 % of the time. Tried 3 times.";
  expect(figures).toEqual([
    { name: "latency", value: null, unit: "ms", goal: "<= 5 ms", holds: null, reason },
    { name: "samples", value: null, unit: "samples", goal: "", holds: null, reason },
  ]);
  expect(faults).toEqual([]);
});

test("what is missing here is not tried again, and is no fault of ours", async () => {
  const { on } = host();
  const measure = failing(9, () => new CommandError("There is no Chromium here."));
  expect((await attempt(promised, measure, { on }))[0]).toMatchObject({
    value: null,
    holds: null,
    reason: "There is no Chromium here.",
  });
  expect(measure).toHaveBeenCalledTimes(1);
  expect(faults).toEqual([]);
});

test("an error that nobody expects is a figure without a value too, and is kept as a fault", async () => {
  const { on } = host();
  const bug = new TypeError("Cannot read properties of null");
  const measure = failing(9, () => bug);
  expect((await attempt(promised, measure, { on }))[1]?.reason).toBe("Cannot read properties of null");
  expect(measure).toHaveBeenCalledTimes(1);
  expect(faults).toEqual([bug]);
});

test("no try begins that would not end in time", async () => {
  limitTime(10_000);
  const began = Date.now();
  let now = began;
  const on: Surroundings = { now: () => now, quieter: async () => undefined };
  const measure = vi.fn(async (): Promise<Figure[]> => {
    now += 6000;
    throw disturbed();
  });
  expect((await attempt(promised, measure, { on }))[0]?.reason).toBe("The hypervisor took 31 % of the time.");
  expect(measure).toHaveBeenCalledTimes(1);
  const late = vi.fn(async () => found);
  expect((await attempt(promised, late, { on, needs_ms: 5000 }))[0]?.value).toBeNull();
  expect(late).not.toHaveBeenCalled();
  limitTime(-1);
  expect(await attempt(promised, late, { on })).toEqual(found);
});

test("what others take is what was busy or stolen without us", () => {
  const before = parseTicks("cpu  100 0 50 800 10 0 5 20 0 0\ncpu0 1 2 3 4");
  const after = parseTicks("cpu  150 0 60 800 10 0 5 40 0 0\n");
  expect(before).toEqual({ busy: 155, stolen: 20, total: 985 });
  if (!before || !after) throw new Error("unreadable");
  // 80 ticks: 60 busy, 44 of them ours, and 20 stolen.
  expect(taken(before, after, 44)).toBeCloseTo(36 / 80);
  expect(taken(before, before, 0)).toBe(0);
  expect(parseTicks("")).toBeNull();
});
