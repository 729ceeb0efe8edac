import { describe, expect, it } from "vitest";
import { createBadge, deleteBadge, getHistory, renderBadge } from "../src/index";
import { drawBadge } from "../src/internal/badge-picture";
import { FACTS, type JournalOptions, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, type Person, sendChunk, useWorld } from "./world";

const world = useWorld();

type Agent = Awaited<ReturnType<typeof world.host>>;

async function measure(
  owner: Person,
  agent: Agent,
  rates: JournalOptions["rates"],
  toolBound: readonly string[] = [],
): Promise<void> {
  const { lease } = await leasedRun(owner, agent, SPEC);
  await beginAttempt(agent.ctx, lease);
  const chunks = packChunks(
    writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates, toolBound }),
    50,
  );
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
}

async function measured() {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
  const make = (more: { label?: string; relativeTo?: string | null } = {}, by: Person = ada) =>
    createBadge({
      ctx: by.ctx,
      input: {
        ...{ workspace: ada.workspace, hostId: agent.hostId, scenario: SCENARIO.id },
        ...{ label: "epoll", relativeTo: "nginx", ...more },
      },
    });
  return { ada, agent, make };
}

const slugOf = (url: string): string => /\/badge\/([\w-]{22})\.svg$/.exec(url)?.[1] ?? "";
const titleOf = async (url: string): Promise<string | undefined> => {
  const svg = await renderBadge({ ctx: world.anonymous, input: { slug: slugOf(url), language: "en" } });
  return /<title>(.*)<\/title>/.exec(svg)?.[1];
};

describe("the badge of a history", () => {
  it("shows anybody the newest value, as a ratio or as it is", async () => {
    const { ada, agent, make } = await measured();
    const [ratio, figure] = [await make(), await make({ relativeTo: null })];
    expect(await titleOf(ratio.url)).toBe(`epoll, ${SCENARIO.id}: 2.000× nginx`);
    expect(await titleOf(figure.url)).toMatch(/: 2,0\d\d\sreq\/s$/);
    await measure(ada, agent, { nginx: 1_000, epoll: 3_000 });
    world.clock.advance(60);
    expect(await titleOf(ratio.url)).toBe(`epoll, ${SCENARIO.id}: 3.000× nginx`);
  });

  it("says that the load tool limited what was measured", async () => {
    const { ada, agent, make } = await measured();
    const { url } = await make({ relativeTo: null });
    await measure(ada, agent, { nginx: 1_000, epoll: 3_000 }, ["epoll"]);
    world.clock.advance(60);
    expect(await titleOf(url)).toMatch(/: ≥\s?3,0\d\d\sreq\/s$/);
  });

  it("is one for each series, found on its page, until it is deleted", async () => {
    const { ada, agent, make } = await measured();
    const badge = await make();
    expect(await make()).toEqual(badge);
    const shown = async (relativeTo: string | null) =>
      (
        await getHistory({
          ctx: ada.ctx,
          input: {
            ...{ workspace: ada.workspace, hostId: agent.hostId, scenario: SCENARIO.id },
            ...{ label: "epoll", relativeTo },
          },
        })
      ).badge;
    expect(await shown("nginx")).toEqual(badge);
    expect(await shown(null)).toBe(null);
    await deleteBadge({ ctx: ada.ctx, input: { workspace: ada.workspace, badgeId: badge.badge_id } });
    expect(await shown("nginx")).toBe(null);
    await expect(titleOf(badge.url)).rejects.toMatchObject({ code: "not_found" });
    expect((await make()).url).not.toBe(badge.url);
  });

  it("needs something that was measured, and somebody who belongs to the workspace", async () => {
    const { make } = await measured();
    const eve = await world.person("Eve");
    for (const wrong of [
      () => make({ label: "nobody" }),
      () => make({ relativeTo: "nobody" }),
      () => make({}, eve),
    ])
      await expect(wrong()).rejects.toMatchObject({ code: "not_found" });
    for (const slug of ["", "x", "-".repeat(22), "../../etc/passwd"])
      await expect(
        renderBadge({ ctx: world.anonymous, input: { slug, language: "en" } }),
      ).rejects.toMatchObject({ code: "not_found" });
  });
});

it("the boxes of a badge are as wide as what stands in them, whatever the alphabet", () => {
  const width = (label: string) =>
    Number(/ width="(\d+)"/.exec(drawBadge({ label, message: "1" }))?.[1] ?? Number.NaN);
  expect(width("快快快快")).toBeGreaterThan(width("aaaa"));
  expect(width("빠름빠름")).toBe(width("快快快快"));
  expect(width("🚀🚀🚀🚀")).toBeGreaterThan(width("快快快快"));
});
