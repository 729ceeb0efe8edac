import {
  type Catalogue,
  type CatalogueScenario,
  type EntrySpec,
  MAX_TRIALS,
  type NumberName,
  type RunSpec,
  type Scenario,
  trialsOf,
} from "@rigmark/protocol";
import { claimsOf } from "@rigmark/results";
import { blockRange } from "@rigmark/results/blocks";
import { baseOf, NUMBER_RANGES, numbersOf, withNumbers } from "@rigmark/results/scenario-numbers";
import { DomainError } from "../../error";

const refuse = (message: string): never => {
  throw new DomainError("invalid", message);
};
const because = (reason: string | null, fix: string | null): string =>
  [reason, fix].filter(Boolean).join(" ") || "it gave no reason.";

/** Refuses what the host cannot do, with its own reason. Returns the scenarios of the run, each under its one name. */
export function checkSpec(spec: RunSpec, catalogue: Catalogue): Scenario[] {
  const scenarios = spec.scenarios.map((id) => checkScenario(id, catalogue));
  const names = scenarios.map((s) => s.scenario.id);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) refuse(`The scenario “${twice}” is named twice; name it once and use repeats.`);
  for (const entry of spec.entries) checkEntry(entry, catalogue, scenarios);
  if (spec.precision !== null && spec.entries.length < 2) {
    refuse(
      "A precision needs two servers to compare, and this run has one. Add another server, or leave the precision out.",
    );
  }
  const trials = trialsOf({ ...spec, repeats: blockRange(spec).most });
  if (trials > MAX_TRIALS) {
    refuse(
      `That would be ${trials} trials; a run holds at most ${MAX_TRIALS}. Take fewer servers, scenarios or repeats.`,
    );
  }
  return scenarios.map((s) => s.scenario);
}

function checkScenario(reference: string, catalogue: Catalogue): CatalogueScenario {
  const id = baseOf(reference);
  const found =
    catalogue.scenarios.find((s) => s.scenario.id === id) ??
    refuse(`The host has no scenario “${id}”; choose one from its list.`);
  if (!found.supported)
    refuse(`The scenario “${id}” does not work on this host: ${because(found.reason, found.fix)}`);
  const numbers =
    numbersOf(reference) ??
    refuse(`“${reference}” cannot be read; write it like ${id}:connections=200,duration=5s.`);
  const settable = found.settable ?? [];
  for (const [name, value] of Object.entries(numbers) as [NumberName, number][]) {
    if (settable.length === 0)
      refuse(`The agent of this host is too old to set numbers; update it, or use “${id}” without numbers.`);
    if (!settable.includes(name))
      refuse(`${name} cannot be set for “${id}”; you can set ${settable.join(", ")}.`);
    const { min, max } = NUMBER_RANGES[name];
    if (value < min || value > max || (name !== "duration" && !Number.isInteger(value)))
      refuse(`${name} of “${id}” must be from ${min} to ${max}, not ${value}.`);
  }
  return { ...found, scenario: withNumbers(found.scenario, numbers) };
}

function checkEntry(entry: EntrySpec, catalogue: Catalogue, scenarios: CatalogueScenario[]): void {
  const server =
    catalogue.servers.find((s) => s.name === entry.server) ??
    refuse(`The host has no server “${entry.server}”; choose one from its list.`);
  if (!server.supported)
    refuse(`The server “${entry.server}” does not work on this host: ${because(server.reason, server.fix)}`);
  if (entry.revision !== undefined && !server.revisions) {
    refuse(
      `The host takes no commit for “${entry.server}”: its folder is not in a git clone that the host's owner put there, or the agent is too old. Leave out “${entry.revision}”, or put the folder of a clone into the host's servers.`,
    );
  }
  // A suite may ask more of one server than of another; what it does not claim the agent leaves out, and says so.
  const claims = claimsOf(catalogue.servers);
  if (!scenarios.some(({ scenario }) => claims(server.name, scenario.workload))) {
    const wanted = [...new Set(scenarios.map((s) => s.scenario.workload))].join(", ");
    refuse(
      `The server “${entry.server}” claims none of the workloads of this run (${wanted}); leave it out or add a scenario for it.`,
    );
  }
  for (const [name, value] of Object.entries(entry.options)) {
    // A name such as "constructor" is one that every object knows.
    const option =
      (Object.hasOwn(server.options, name) && server.options[name]) ||
      refuse(`The server “${entry.server}” has no option “${name}”.`);
    if (value < option.min || value > option.max) {
      refuse(
        `The option “${name}” of “${entry.server}” must be from ${option.min} to ${option.max}, not ${value}.`,
      );
    }
  }
}
