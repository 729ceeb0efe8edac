import { randomUUID } from "node:crypto";
import { sql } from "@rigmark/db";
import { describe, expect, it } from "vitest";
import {
  type Ctx,
  createInvitation,
  createReport,
  createWorkspace,
  deleteAccount,
  deleteWorkspace,
  endSessions,
  findReportHash,
  getRun,
  listDeletedWorkspaces,
  listInvitations,
  listSessions,
  listWorkspaces,
  purgeRuns,
  purgeWorkspaces,
  renameWorkspace,
  restoreWorkspace,
} from "../src/index";
import { beginAttempt, finishedRun, leasedRun, type Person, useWorld } from "./world";

const world = useWorld();
const DAY_S = 86_400;

/** The same person, as from a browser in which they have just signed in. */
async function signedIn({ ctx }: Person): Promise<Ctx> {
  if (ctx.actor.kind !== "user") throw new Error("this is a person");
  const [sessionId, at] = [randomUUID(), ctx.now()];
  await world.domain.db.query(
    sql`INSERT INTO session (id, user_id, token, created_at, expires_at, updated_at)
        VALUES (${sessionId}, ${ctx.actor.userId}, ${sessionId}, ${at}, ${new Date(at.getTime() + DAY_S * 1e3)}, ${at})`,
  );
  return world.as({ ...ctx.actor, sessionId });
}
const emailOf = ({ actor }: Ctx): string => (actor.kind === "user" ? actor.email : "");
const idOf = ({ actor }: Ctx): string => (actor.kind === "user" ? actor.userId : "");
const slugs = async (ctx: Ctx) => (await listWorkspaces({ ctx, input: {} })).map((w) => w.slug);
const workspaceId = async (slug: string) =>
  (await world.domain.db.prisma.workspaceSlug.findUniqueOrThrow({ where: { slug } })).workspace_id;

describe("a deleted workspace", () => {
  it("is gone with its report links at once, comes back as it was, and is removed after seven days", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { ctx, workspace } = ada;
    const runId = await finishedRun(ada, agent);
    const { slug } = await createReport({ ctx, input: { workspace, runId, showHostName: false } });
    const hash = () => findReportHash({ ctx: world.anonymous, input: { slug } });
    const open = await leasedRun(ada, agent);
    await expect(deleteWorkspace({ ctx, input: { workspace, name: "Bob" } })).rejects.toMatchObject({
      code: "invalid",
    });
    await deleteWorkspace({ ctx, input: { workspace, name: "Ada" } });
    expect([await slugs(ctx), await hash()]).toEqual([[], null]);
    await expect(getRun({ ctx, input: { workspace, runId } })).rejects.toMatchObject({ code: "not_found" });

    const eve = await world.person("Eve");
    const id = await workspaceId(workspace);
    const notHers = restoreWorkspace({ ctx: eve.ctx, input: { workspaceId: id } });
    await expect(notHers).rejects.toMatchObject({ code: "not_found" });
    expect((await listDeletedWorkspaces({ ctx })).workspaces.map((w) => w.workspace_id)).toEqual([id]);
    await restoreWorkspace({ ctx, input: { workspaceId: id } });
    expect([await slugs(ctx), (await hash()) !== null]).toEqual([[workspace], true]);
    expect((await getRun({ ctx, input: { workspace, runId: open.runId } })).state).toBe("cancelled");

    await deleteWorkspace({ ctx, input: { workspace, name: "Ada" } });
    world.clock.advance(7 * DAY_S + 1);
    for (let n = 0; n < 3; n += 1) {
      await purgeRuns({ ctx: world.system });
      await purgeWorkspaces({ ctx: world.system });
    }
    expect(await world.domain.db.prisma.workspace.count({ where: { workspace_id: id } })).toBe(0);
    expect(await slugs(eve.ctx)).toHaveLength(1);
  });
});

it("a workspace is deleted by its name as a page shows it: spaces in a row are one, capitals do not matter", async () => {
  const { ctx, workspace } = await world.person("Ada  \u00a0Lovelace");
  const remove = (name: string) => deleteWorkspace({ ctx, input: { workspace, name } });
  await expect(remove("AdaLovelace")).rejects.toMatchObject({ code: "invalid" });
  await remove("ada Lovelace");
  expect(await slugs(ctx)).toEqual([]);
});

describe("a second workspace", () => {
  it("belongs to whoever makes it, and keeps its address when it is renamed", async () => {
    const ada = await world.person("Ada");
    const { slug } = await createWorkspace({ ctx: ada.ctx, input: { name: " Edge  servers " } });
    expect(slug).toBe("edge-servers");
    const renamed = await renameWorkspace({ ctx: ada.ctx, input: { workspace: slug, name: "Core" } });
    expect(renamed).toMatchObject({ slug, name: "Core", role: "owner" });
  });

  it("is one of at most twenty, of which a deleted one is none", async () => {
    const { ctx } = await world.person("Ada");
    const create = () => createWorkspace({ ctx, input: { name: "Edge" } });
    for (let n = 1; n < 20; n += 1) await create();
    await expect(create()).rejects.toThrow("You own 20 workspaces already");
    const [first] = await listWorkspaces({ ctx, input: {} });
    await deleteWorkspace({ ctx, input: { workspace: first?.slug ?? "", name: first?.name ?? "" } });
    await create();
  });
});

describe("an account", () => {
  it("lists where it is signed in, and ends one session or all the others", async () => {
    const ada = await world.person("Ada");
    const [one, two, three] = [await signedIn(ada), await signedIn(ada), await signedIn(ada)];
    const eve = await signedIn(await world.person("Eve"));
    const list = async (ctx: Ctx) => (await listSessions({ ctx })).sessions;
    expect((await list(one)).filter((session) => session.current)).toHaveLength(1);
    const first = (await list(two)).find((session) => session.current)?.session_id ?? "";
    await expect(endSessions({ ctx: eve, input: { sessionId: first } })).rejects.toMatchObject({
      code: "not_found",
    });
    await endSessions({ ctx: one, input: { sessionId: first } });
    expect(await list(three)).toHaveLength(2);
    await endSessions({ ctx: three, input: { sessionId: null } });
    expect((await list(three)).map((session) => session.current)).toEqual([true]);
    expect(await list(eve)).toHaveLength(1);
  });

  it("is deleted with the workspaces that are its own alone, not while others would lose their last owner", async () => {
    const ada = await world.person("Ada");
    const bob = await world.person("Bob");
    const agent = await world.host(ada);
    const open = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, open.lease);
    const ctx = await signedIn(ada);
    const remove = (by: Ctx) => deleteAccount({ ctx: by, input: { email: emailOf(by) } });
    await expect(remove(ada.ctx)).rejects.toThrow(/more than an hour ago/);
    const { slug } = await createWorkspace({ ctx, input: { name: "Team" } });
    const workspace_id = await workspaceId(slug);
    const member = { workspace_id, user_id: idOf(bob.ctx) };
    await world.domain.db.prisma.member.create({ data: { ...member, role: "admin" } });
    await expect(remove(ctx)).rejects.toThrow(/last owner of “Team”/);
    await world.domain.db.prisma.member.updateMany({ where: member, data: { role: "owner" } });
    const invited = { workspace: slug, role: "member", email: null, mail: null } as const;
    await createInvitation({ ctx, input: invited });
    await remove(ctx);
    const { invitations } = await listInvitations({ ctx: bob.ctx, input: { workspace: slug } });
    expect(invitations.map(({ state }) => state)).toEqual(["revoked"]);
    expect(await world.domain.db.prisma.user.count({ where: { id: idOf(ctx) } })).toBe(0);
    expect((await slugs(bob.ctx)).sort()).toEqual([bob.workspace, slug].sort());
    const own = await world.domain.db.prisma.workspace.findUniqueOrThrow({
      where: { workspace_id: await workspaceId(ada.workspace) },
    });
    expect(own.deleted_at).not.toBeNull();
    const { workspace_id: ended } = own;
    const run = await world.domain.db.prisma.run.findFirstOrThrow({ where: { workspace_id: ended } });
    expect(run).toMatchObject({ state: "cancelled", error_code: "workspace-deleted" });
    expect(await world.domain.db.prisma.attempt.count({ where: { workspace_id: ended, live: true } })).toBe(
      0,
    );
  });

  it("is no longer named by the runs that it published elsewhere", async () => {
    const [ada, bob] = [await world.person("Ada"), await world.person("Bob")];
    const runId = await finishedRun(bob, await world.host(bob));
    const ctx = await signedIn(ada);
    await world.domain.db.query(
      sql`UPDATE run SET requested_by = ${idOf(ctx)}, published_by = 'Ada' WHERE run_id = ${runId}`,
    );
    await deleteAccount({ ctx, input: { email: emailOf(ctx) } });
    const run = await getRun({ ctx: bob.ctx, input: { workspace: bob.workspace, runId } });
    expect(run.published_by).toBe("a former member");
  });
});
