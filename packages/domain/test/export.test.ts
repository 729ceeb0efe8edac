import { expect, it } from "vitest";
import { createSchedule, createWebhook, exportWorkspace } from "../src/index";
import { SPEC } from "../src/testing/index";
import { finishedRun, useWorld } from "./world";

const world = useWorld();

it("an export is one JSON document of what the workspace holds, without its secrets", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const runId = await finishedRun(ada, agent);
  const { workspace } = ada;
  const times = { minute: 120, days: [1], wait_h: 12 as const };
  await createSchedule({
    ctx: ada.ctx,
    input: { workspace, hostId: agent.hostId, name: "nightly", ...times, spec: SPEC },
  });
  const { secret } = await createWebhook({
    ctx: ada.ctx,
    input: { workspace, url: "https://hooks.example.org/rigmark" },
  });
  let text = "";
  for await (const piece of exportWorkspace({ ctx: ada.ctx, input: { workspace } })) text += piece;
  const document = JSON.parse(text);
  expect(document).toMatchObject({
    format: "rigmark-workspace",
    hosts: [{ host_id: agent.hostId }],
    schedules: [{ name: "nightly", minute: 120 }],
    webhooks: [{ url: "https://hooks.example.org/rigmark" }],
    runs: [{ run_id: runId }],
    badges: [],
    reports: [],
  });
  expect(text).not.toContain(secret);
});
