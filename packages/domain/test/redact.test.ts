import type { RunView } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { redactRun } from "../src/report/internal/redact";

/** As much of a run as is needed to hide its host's name, and what a test is about. */
const runOn = (names: { hostname: string; name: string }, more: object = {}): RunView =>
  ({
    title: "",
    spec: { title: "", entries: [{ label: "epoll", server: "epoll" }] },
    host: names,
    environment: null,
    ...more,
  }) as unknown as RunView;
const ATTIC = { hostname: "attic", name: "attic" };

describe("a host's name", () => {
  it("is hidden between underscores, and not within words", () => {
    const log = { message: "log_attic_1 and attics" };
    expect(redactRun(runOn(ATTIC, { log }), false)).toMatchObject({
      log: { message: "log_[host]_1 and attics" },
    });
  });

  it("is hidden in titles, labels and paths, alone and among words, the longest first", () => {
    const spec = { title: "attic", entries: [{ label: "epoll", server: "epoll" }] };
    const labels = [
      {
        code: "unsandboxed",
        message: "Attic has no /run/attic/netns, attic.example has. /home/ada is full.",
      },
    ];
    const trials = [{ scenario: "attic", reasons: [{ code: "attic", message: "attic" }] }];
    const run = runOn({ ...ATTIC, hostname: "attic.example" }, { title: "On attic", spec, labels, trials });
    expect(redactRun(run, false)).toMatchObject({
      title: "On [host]",
      spec: { title: "[host]" },
      labels: [
        { code: "unsandboxed", message: "[host] has no /run/[host]/netns, [host] has. /home/… is full." },
      ],
      // Words of the protocol are nobody's name.
      trials: [{ scenario: "attic", reasons: [{ code: "attic", message: "[host]" }] }],
    });
  });

  it("is left where it is a code of the statistics", () => {
    const codes = { no_winner_code: "attic", note_code: "attic", no_cpu_code: "attic" };
    const bounds = { bound: "attic", latency_bound: "attic", ratio_bound: "attic" };
    expect(
      redactRun(runOn(ATTIC, { summary: { ...codes, ...bounds, no_winner: "attic" } }), false),
    ).toMatchObject({
      summary: { ...codes, ...bounds, no_winner: "[host]" },
    });
  });

  it("stays where its owner wants it shown; who owns the home folder is hidden all the same", () => {
    const labels = [{ code: "unsandboxed", message: "attic has no /home/ada/netns." }];
    expect(redactRun(runOn(ATTIC, { title: "On attic", labels }), true)).toMatchObject({
      title: "On attic",
      labels: [{ message: "attic has no /home/…/netns." }],
    });
  });

  it("is left where an entry has it, which the command has to call by it", () => {
    const entries = [{ label: "Attic", server: "epoll", key: "k" }];
    const run = runOn(ATTIC, {
      spec: { title: "attic", entries },
      entries,
      repeat_command: "--server=Attic=epoll",
    });
    const hidden = redactRun(run, false);
    expect(hidden).toMatchObject({ title: "", entries, repeat_command: "--server=Attic=epoll" });
    expect(hidden.spec).toEqual({ title: "attic", entries });
  });

  it("makes no text too long for its field when it is hidden", () => {
    const message = "pi04 ".repeat(400);
    const run = runOn(
      { hostname: "pi04", name: "pi04" },
      { title: "pi04 ".repeat(24), labels: [{ code: "x", message }], error: { code: "x", message: "pi04" } },
    );
    const hidden = redactRun(run, false);
    expect(hidden.title).toHaveLength(120);
    expect(hidden.labels[0]?.message).toHaveLength(2000);
    expect(hidden.error?.message).toBe("[host]");
  });
});
