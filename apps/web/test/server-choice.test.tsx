import type { RunOptions } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { ServerChoice } from "@/components/run/new-run-servers";
import { addEntry, emptyForm } from "@/lib/new-run";
import { render } from "./words";

const server = (name: string, supported: boolean, options = {}) => ({
  name,
  title: name,
  language: "C",
  summary: "",
  license: "MIT",
  workloads: ["static" as const],
  options,
  content_hash: "0".repeat(64),
  supported,
  reason: supported ? null : "It is not installed.",
  fix: null,
});
const axum = server("axum", true, { "read-buffer": { default: 131_072, min: 1024, max: 1_048_576 } });
const options = {
  servers: [server("nginx", true), server("asm", false), server("go", true), axum],
} as unknown as RunOptions;
const html = render(
  <ServerChoice
    options={options}
    form={addEntry(emptyForm(), axum)}
    onChange={() => undefined}
    problems={{}}
  />,
);

describe("the servers of a new run", () => {
  it("stand by name, and what does not work here comes last", () => {
    const places = ["axum", "go", "nginx", "asm"].map((name) => html.indexOf(`>${name}<`));
    expect(places.every((at) => at > 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it("that do not work here are folded with their reasons, and what is chosen stands on top", () => {
    expect(html).toMatch(/<details><summary[^>]*><h3[^>]*>Cannot run on this host/);
    expect(html).toContain("It is not installed.");
    expect(html.indexOf('aria-label="Remove axum"')).toBeLessThan(html.indexOf(">go<"));
  });

  it("of a plan from elsewhere are named where this host lacks them", () => {
    const foreign = { ...addEntry(emptyForm(), server("mine", true)) };
    const shown = render(
      <ServerChoice options={options} form={foreign} onChange={() => undefined} problems={{}} />,
    );
    expect(shown).toContain("This host has no server <bdi>mine</bdi>");
    expect(shown).toContain('aria-label="Remove mine"');
  });

  it("say of the option that is wrong that it is, and else of the name", () => {
    const form = addEntry(emptyForm(), axum);
    const invalid = (value: string): string[] => {
      const entries = form.entries.map((entry) => ({ ...entry, options: { "read-buffer": value } }));
      const shown = render(
        <ServerChoice
          options={options}
          form={{ ...form, entries }}
          onChange={() => undefined}
          problems={{ "entry-1": "Something is wrong." }}
        />,
      );
      return [...shown.matchAll(/<input[^>]*aria-invalid="true"[^>]*>/g)].map(([input]) => input);
    };
    expect(invalid("7")).toEqual([expect.stringContaining('aria-label="read-buffer of axum"')]);
    expect(invalid("2048")).toEqual([expect.stringContaining('value="axum"')]);
  });

  it("have room for the largest value of an option", () => {
    const [, width] = /style="width:(\d+)ch"[^>]*max="1048576"/.exec(html) ?? [];
    expect(Number(width)).toBeGreaterThan("1048576".length);
  });
});
