import type { RunSpec, Source } from "@rigmark/protocol";
import { RunListFilter } from "@rigmark/results";
import { MOST_VALUES } from "@rigmark/results/run-list";
import { beforeAll, describe, expect, it } from "vitest";
import {
  cancelRun,
  createRun,
  editRun,
  getWorkspace,
  listRunFilters,
  listRuns,
  renameHost,
} from "../src/index";
import { SPEC } from "../src/testing/index";
import { finishedRun, type Person, useWorld } from "./world";

const world = useWorld();
let ada: Person;
let bob: Person;
let bobId: string;
let pi: Awaited<ReturnType<typeof world.host>>;
let desk: Awaited<ReturnType<typeof world.host>>;

const source = (branch: string, digit: string): Source => ({
  repository: "https://forge.example/Ada/Server",
  commit: digit.repeat(40),
  branch,
  pull_request: null,
  base_commit: null,
  dirty: false,
});

const queue = (by: Person, hostId: string, spec: Partial<RunSpec>, of: Source | null = null) =>
  createRun({
    ctx: by.ctx,
    input: { workspace: ada.workspace, hostId, spec: { ...SPEC, ...spec }, source: of },
  });

/** Titles of the runs that are found, newest first. */
async function found(filter: RunListFilter, who = ada): Promise<string[]> {
  const { runs } = await listRuns({ ctx: who.ctx, input: { workspace: who.workspace, limit: 50, filter } });
  return runs.map((run) => run.title);
}

beforeAll(async () => {
  ada = await world.person("Ada");
  const { workspace_id } = await getWorkspace({ ctx: ada.ctx, input: { workspace: ada.workspace } });
  const { ctx } = await world.person("Bob");
  bob = { ctx, workspace: ada.workspace };
  bobId = ctx.actor.kind === "user" ? ctx.actor.userId : "";
  await world.domain.db.prisma.member.create({ data: { workspace_id, user_id: bobId, role: "member" } });
  [pi, desk] = [await world.host(ada), await world.host(ada)];
  for (const [host, name] of [
    [pi, "pi"],
    [desk, "Desk"],
  ] as const)
    await renameHost({ ctx: ada.ctx, input: { workspace: ada.workspace, hostId: host.hostId, name } });
  const measured = await finishedRun(ada, pi, "measured");
  await editRun({
    ctx: ada.ctx,
    input: { workspace: ada.workspace, runId: measured, note: "Quiet\nweekend", tags: ["release", "arm64"] },
  });
  const entries = [{ label: "plain", server: "nginx", options: {} }];
  const odd = { title: "100% of_it", entries, baseline: "plain" };
  await queue(bob, desk.hostId, odd, source("faster", "b"));
  const { run_id: runId } = await queue(ada, desk.hostId, { title: "given up" }, source("main", "a"));
  await cancelRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
});

describe("a list of runs", () => {
  it("is filtered by each thing that runs have, and by several at once", async () => {
    expect(await found({})).toEqual(["given up", "100% of_it", "measured"]);
    expect(await found({ host: [pi.hostId] })).toEqual(["measured"]);
    expect(await found({ status: ["cancelled", "succeeded"] })).toEqual(["given up", "measured"]);
    expect(await found({ verdict: ["faster"] })).toEqual(["measured"]);
    expect(await found({ verdict: ["slower"] })).toEqual([]);
    expect(await found({ branch: ["main", "none"] })).toEqual(["given up"]);
    expect(await found({ person: [bobId] })).toEqual(["100% of_it"]);
    expect(await found({ tag: ["arm64"] })).toEqual(["measured"]);
    expect(await found({ scenario: ["static-1k-ab"] })).toHaveLength(3);
    expect(await found({ server: ["epoll"] })).toEqual(["given up", "measured"]);
    expect(await found({ repository: "ada/server", commit: "bbbbbbb" })).toEqual(["100% of_it"]);
    expect(await found({ server: ["epoll"], host: [desk.hostId] })).toEqual(["given up"]);
    expect(await found({ host: [], q: "  " })).toHaveLength(3);
  });

  it.each([
    ["the name", "MEAS", "measured"],
    ["the note, across its lines", "weekend quiet", "measured"],
    ["a tag", "release", "measured"],
    ["a server", "epoll given", "given up"],
    ["the title of a scenario", "32 connections", "measured"],
    ["the branch", "fast", "100% of_it"],
    ["the commit", "bbbbbbbb", "100% of_it"],
    ["the host", "desk of_it", "100% of_it"],
    ["the person", "bob", "100% of_it"],
  ])("is searched in %s", async (_, q, title) => {
    expect(await found({ q })).toEqual([title]);
  });

  it("takes what is searched for as it stands: no character is a wildcard", async () => {
    expect(await found({ q: "%" })).toEqual(["100% of_it"]);
    expect(await found({ q: "_" })).toEqual(["100% of_it"]);
    expect(await found({ q: "of_i" })).toEqual(["100% of_it"]);
    for (const q of ["1_0", "m%d", "\\", "'", "\0", "\ud800"]) expect(await found({ q })).toEqual([]);
  });

  it("has pages, also of what is filtered", async () => {
    const page = (cursor: string | null) =>
      listRuns({
        ctx: ada.ctx,
        input: { workspace: ada.workspace, limit: 1, cursor, filter: { server: ["epoll"] } },
      });
    const first = await page(null);
    expect(first.runs.map((run) => run.title)).toEqual(["given up"]);
    const second = await page(first.next_cursor);
    expect(second.runs.map((run) => run.title)).toEqual(["measured"]);
    expect(second.next_cursor).toBeNull();
  });

  it("names the filters without which there would be a run", async () => {
    const drop = async (filter: RunListFilter) =>
      (await listRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 5, filter } })).drop;
    expect(await drop({ host: [pi.hostId], person: [bobId] })).toEqual(["host", "person"]);
    expect(await drop({ host: [pi.hostId], person: [bobId], q: "nothing has this" })).toEqual([]);
    expect(await drop({ tag: ["none"] })).toEqual(["tag"]);
    expect(await drop({ tag: ["arm64"] })).toEqual([]);
  });

  it("shows no run of another workspace, however it is filtered", async () => {
    const eve = await world.person("Eve");
    expect(await found({ host: [pi.hostId] }, eve)).toEqual([]);
    expect(await found({ q: "measured" }, eve)).toEqual([]);
    const input = { workspace: eve.workspace, host: [pi.hostId], person: [bobId] };
    expect(await listRunFilters({ ctx: eve.ctx, input })).toEqual({ filters: [] });
  });

  it("takes so many values of a filter and no more", () => {
    const hosts = (n: number) => ({ host: Array.from({ length: n }, () => pi.hostId) });
    expect(RunListFilter.safeParse(hosts(MOST_VALUES)).success).toBe(true);
    expect(RunListFilter.safeParse(hosts(MOST_VALUES + 1)).success).toBe(false);
    expect(RunListFilter.safeParse({ q: "x".repeat(201) }).success).toBe(false);
  });
});

describe("the filters that a list offers", () => {
  it("are those that its runs have, hosts and people by their names", async () => {
    const { filters } = await listRunFilters({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    const labels = Object.fromEntries(
      filters.map(({ name, values }) => [name, values.map(({ label }) => label).sort()]),
    );
    expect(labels).toEqual({
      host: ["Desk", "pi"],
      status: ["cancelled", "queued", "succeeded"],
      verdict: ["faster"],
      branch: ["faster", "main"],
      person: ["Ada", "Bob"],
      tag: ["arm64", "release"],
      scenario: ["static-1k-ab"],
      server: ["epoll", "nginx"],
    });
    expect(filters.find(({ name }) => name === "host")?.values).toContainEqual({
      value: pi.hostId,
      label: "pi",
    });
  });
});
