import type { HostTune } from "@rigmark/protocol";
import { expect, it } from "vitest";
import { createRun, getRunOptions, leaseAttempt, putFacts } from "../src/index";
import { FACTS, SPEC } from "../src/testing/index";
import { leaseRequest, useWorld } from "./world";

const world = useWorld();
const TUNED = { ...SPEC, tune: true as const };

it("a run is tuned only where the agent says that the host's owner allows it", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const host = { workspace: ada.workspace, hostId: agent.hostId };
  const says = async (tune?: HostTune) => {
    await putFacts({ ctx: agent.ctx, input: { ...FACTS, ...(tune && { tune }) } });
    return (await getRunOptions({ ctx: ada.ctx, input: host })).tune;
  };
  const ask = () => createRun({ ctx: ada.ctx, input: { ...host, spec: TUNED } });

  expect(await says()).toBeNull();
  await expect(ask()).rejects.toMatchObject({
    code: "state",
    message: expect.stringContaining("--allow-tune"),
  });

  const missing = ["nothing can be set: /run/rigmark-tuned cannot be written"];
  expect(await says({ sets: [], missing })).toEqual({ sets: [], missing });
  await expect(ask()).rejects.toMatchObject({ code: "state", message: expect.stringContaining("rights") });

  await says({ sets: ["CPU governor"], missing: [] });
  const { run_id } = await ask();
  const { lease } = await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() });
  expect(lease).toMatchObject({ run_id, spec: { tune: true } });

  // The owner takes it back: the next facts say nothing of it.
  expect(await says()).toBeNull();
  await expect(ask()).rejects.toMatchObject({ code: "state" });
});

it("a run that asks for nothing carries no word of it, for agents of before", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  await createRun({ ctx: ada.ctx, input: { workspace: ada.workspace, hostId: agent.hostId, spec: SPEC } });
  const { lease } = await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() });
  expect(lease?.spec).not.toHaveProperty("tune");
});
