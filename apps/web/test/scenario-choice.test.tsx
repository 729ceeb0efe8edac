import type { RunOptions } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { ScenarioChoice } from "@/components/run/new-run-scenarios";
import { emptyForm, type NumbersForm } from "@/lib/new-run";
import { render } from "./words";

const scenario = (id: string, settable?: string[]) => ({
  supported: true,
  reason: null,
  fix: null,
  settable,
  scenario: {
    id,
    title: id,
    workload: "static",
    tool: "k6",
    load: { kind: "rate", rate_per_s: 2000, connections: 64, keep_alive: true },
    duration_s: 10,
    warmup_s: 1,
  },
});
const options = {
  scenarios: [scenario("rated", ["connections", "duration", "in_flight", "rate"]), scenario("old")],
} as unknown as RunOptions;
const shown = (scenarios: string[], numbers: NumbersForm = { connections: "7" }) =>
  render(
    <ScenarioChoice
      options={options}
      form={{ ...emptyForm(), scenarios, numbers: { rated: numbers } }}
      onChange={() => undefined}
      problems={{ "scenario-rated": "Rate: a whole number." }}
    />,
  );

describe("the scenarios of a new run", () => {
  it("have fields for their numbers once they are chosen, with their own as a hint", () => {
    expect(shown([])).not.toContain("Connections of rated");
    const html = shown(["rated"]);
    for (const name of ["Connections", "Rate", "Duration"])
      expect(html).toContain(`aria-label="${name} of rated"`);
    expect(html).toContain('value="7"');
    expect(html).toContain('placeholder="2000"');
    expect(html).toContain("Rate: a whole number.");
  });

  it("say of the number that is wrong that it is, and where that is told", () => {
    const html = shown(["rated"], { connections: "7", rate: "many" });
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(1);
    const [, message] = /aria-label="Rate of rated"[^>]*aria-describedby="([^"]+)"/.exec(html) ?? [];
    expect(html).toContain(`<p id="${message}"`);
  });

  it("have none where the agent takes none", () => {
    expect(shown(["old"])).not.toContain("<input class=");
  });
});
