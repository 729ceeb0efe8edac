import { expect, it } from "vitest";
import { RunSettings } from "@/components/run/new-run-settings";
import { emptyForm, type RunForm } from "@/lib/new-run";
import { render } from "./words";

const warns = (form: Partial<RunForm>): boolean =>
  render(
    <RunSettings form={{ ...emptyForm(), ...form }} onChange={() => undefined} problems={{}} />,
  ).includes("gives no verdict");

it("the form warns of a run that can have no verdict, and of no other", () => {
  expect(warns({ repeats: "4" })).toBe(true);
  expect(warns({ repeats: "5" })).toBe(false);
  // With a precision blocks are added up to its limit, and what that is decides.
  expect(warns({ repeats: "3", precision: "2" })).toBe(false);
  expect(warns({ repeats: "3", precision: "2", most: "4" })).toBe(true);
  expect(warns({ repeats: "", precision: "2" })).toBe(false);
});
