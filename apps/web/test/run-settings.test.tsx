import type { HostTune } from "@rigmark/protocol";
import { expect, it } from "vitest";
import { RunSettings } from "@/components/run/new-run-settings";
import { emptyForm, type RunForm } from "@/lib/new-run";
import { render } from "./words";

const warns = (form: Partial<RunForm>): boolean =>
  render(
    <RunSettings form={{ ...emptyForm(), ...form }} onChange={() => undefined} problems={{}} tune={null} />,
  ).includes("gives no verdict");

it("the form warns of a run that can have no verdict, and of no other", () => {
  expect(warns({ repeats: "4" })).toBe(true);
  expect(warns({ repeats: "5" })).toBe(false);
  // With a precision blocks are added up to its limit, and what that is decides.
  expect(warns({ repeats: "3", precision: "2" })).toBe(false);
  expect(warns({ repeats: "3", precision: "2", most: "4" })).toBe(true);
  expect(warns({ repeats: "", precision: "2" })).toBe(false);
});

it("the form offers tuning where the host's owner allows it, and says what it changes", () => {
  const form = (tune: HostTune | null, more: Partial<RunForm> = {}): string =>
    render(
      <RunSettings form={{ ...emptyForm(), ...more }} onChange={() => undefined} problems={{}} tune={tune} />,
    );
  expect(form(null, { tune: true })).not.toContain("Tune the host");
  const sets = ["CPU governor", "transparent huge pages"];
  const allowed = form({ sets, missing: ["turbo: /sys/x cannot be written"] }, { tune: true });
  expect(allowed).toMatch(/<input[^>]*checked=""/);
  expect(allowed).toContain(
    "While it runs: CPU governor performance, transparent huge pages never. Everything is restored afterward.",
  );
  expect(allowed).toContain("Not set: turbo: /sys/x cannot be written.");
  const without = form(
    { sets: [], missing: ["nothing can be set: /run/rigmark-tuned cannot be written"] },
    { tune: true },
  );
  expect(without).toMatch(/<input[^>]*disabled=""/);
  expect(without).not.toMatch(/<input[^>]*checked=""/);
});
