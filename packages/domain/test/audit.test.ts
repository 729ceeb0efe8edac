import type { AuditEvent } from "@rigmark/results";
import { expect, it } from "vitest";
import {
  acceptInvitation,
  changeRole,
  createInvitation,
  createToken,
  deleteRuns,
  listAudit,
  removeMember,
  revokeToken,
} from "../src/index";
import { FACTS } from "../src/testing/index";
import { finishedRun, useWorld } from "./world";

const world = useWorld();
const inWords = ({ actor, what, subject }: AuditEvent) => `${actor}: ${what} ${subject}`.trim();

it("records who did what, in order and in pages, for admins and owners only", async () => {
  const [ada, bob] = [await world.person("Ada"), await world.person("Bob")];
  const { ctx, workspace } = ada;
  const agent = await world.host(ada);
  const runId = await finishedRun(ada, agent, "first");
  await deleteRuns({ ctx, input: { workspace, runIds: [runId] } });
  const input = { workspace, role: "member", email: null, mail: null } as const;
  const { url } = await createInvitation({ ctx, input });
  const token = new URL(url ?? "").searchParams.get("token") ?? "";
  await acceptInvitation({ ctx: bob.ctx, input: { token } });
  const userId = bob.ctx.actor.kind === "user" ? bob.ctx.actor.userId : "";
  const notHis = listAudit({ ctx: bob.ctx, input: { workspace } });
  await expect(notHis).rejects.toMatchObject({ code: "forbidden" });
  await changeRole({ ctx, input: { workspace, userId, role: "viewer" } });
  await removeMember({ ctx: bob.ctx, input: { workspace, userId } });
  for (let n = 0; n < 25; n += 1) {
    const wanted = { workspace, name: `ci ${n}`, scopes: ["read" as const], days: 30 as const };
    const { view } = await createToken({ ctx, input: wanted });
    await revokeToken({ ctx, input: { workspace, tokenId: view.token_id } });
  }
  const first = await listAudit({ ctx, input: { workspace } });
  const second = await listAudit({ ctx, input: { workspace, cursor: first.next_cursor } });
  expect(second.next_cursor).toBeNull();
  expect(first.events).toHaveLength(50);
  expect(second.events.map(inWords).reverse()).toEqual([
    "Ada: host-key-created",
    `An agent: host-enrolled ${FACTS.hostname}`,
    "Ada: runs-deleted the run first",
    "Ada: invitation-created whoever has the link as member",
    "Bob: invitation-accepted member",
    "Ada: role-changed Bob from member to viewer",
    "Bob: member-left",
  ]);
});
