import type { Role } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import {
  authenticateToken,
  type Ctx,
  changeRole,
  createEnrollment,
  createToken,
  listAudit,
  listMembers,
  listRuns,
  removeMember,
} from "../src/index";
import { type Person, useWorld } from "./world";

const world = useWorld();

const idOf = ({ actor }: Ctx): string => (actor.kind === "user" ? actor.userId : "");

/** Somebody new in the workspace of another one. */
async function joins(owner: Person, role: Role): Promise<Ctx> {
  const { ctx } = await world.person("Bob");
  const { workspace_id } = await world.domain.db.prisma.workspaceSlug.findUniqueOrThrow({
    where: { slug: owner.workspace },
  });
  await world.domain.db.prisma.member.create({ data: { workspace_id, user_id: idOf(ctx), role } });
  return ctx;
}

describe("a workspace's members", () => {
  it("always have an owner among them, also when two leave at once", async () => {
    const ada = await world.person("Ada");
    const { workspace } = ada;
    const me = { workspace, userId: idOf(ada.ctx) };
    const lastOwner = { code: "state", message: expect.stringContaining("needs an owner") };
    await expect(removeMember({ ctx: ada.ctx, input: me })).rejects.toMatchObject({
      ...lastOwner,
      message: expect.stringContaining("nobody else is in it"),
    });
    await expect(changeRole({ ctx: ada.ctx, input: { ...me, role: "member" } })).rejects.toMatchObject(
      lastOwner,
    );
    const bob = await joins(ada, "member");
    await changeRole({ ctx: ada.ctx, input: { workspace, userId: idOf(bob), role: "owner" } });
    const left = await Promise.allSettled([
      removeMember({ ctx: ada.ctx, input: me }),
      removeMember({ ctx: bob, input: { workspace, userId: idOf(bob) } }),
    ]);
    expect(left.map((each) => each.status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("who are alone in the installation's own workspace are not told to delete it", async () => {
    const ada = await world.person("Ada");
    const { workspace } = ada;
    const leave = () => removeMember({ ctx: ada.ctx, input: { workspace, userId: idOf(ada.ctx) } });
    await expect(leave()).rejects.toMatchObject({ message: expect.stringContaining("delete the workspace") });
    const { workspace_id } = await world.domain.db.prisma.workspaceSlug.findUniqueOrThrow({
      where: { slug: workspace },
    });
    await world.domain.db.prisma.workspace.update({ where: { workspace_id }, data: { home: true } });
    await expect(leave()).rejects.toMatchObject({ message: expect.not.stringContaining("delete") });
  });

  it("are changed by admins only below them", async () => {
    const ada = await world.person("Ada");
    const { workspace } = ada;
    const [amy, other] = [await joins(ada, "admin"), await joins(ada, "admin")];
    const vic = await joins(ada, "viewer");
    const change = (ctx: Ctx, of: Ctx, role: Role) =>
      changeRole({ ctx, input: { workspace, userId: idOf(of), role } });
    await expect(change(amy, other, "viewer")).rejects.toMatchObject({ code: "forbidden" });
    await expect(change(amy, vic, "admin")).rejects.toMatchObject({ code: "forbidden" });
    await expect(change(amy, ada.ctx, "viewer")).rejects.toMatchObject({ code: "forbidden" });
    const remove = removeMember({ ctx: amy, input: { workspace, userId: idOf(other) } });
    await expect(remove).rejects.toMatchObject({ code: "forbidden" });
    await change(amy, vic, "member");
    await change(ada.ctx, vic, "admin");
    const { members, may_give } = await listMembers({ ctx: amy, input: { workspace } });
    expect(members.map(({ role, may_change }) => [role, may_change])).toEqual([
      ["owner", false],
      ["admin", false],
      ["admin", false],
      ["admin", false],
    ]);
    expect(may_give).toEqual(["member", "viewer"]);
  });

  it("leave no token of the workspace behind that they made, once they may make none", async () => {
    const ada = await world.person("Ada");
    const { workspace } = ada;
    const wanted = { workspace, name: "ci", scopes: ["admin" as const], days: null };
    const use = ({ token }: { token: string }) =>
      authenticateToken({ ctx: world.anonymous, input: { token } });
    const hers = await createToken({ ctx: ada.ctx, input: wanted });
    const [amy, bob] = [await joins(ada, "admin"), await joins(ada, "admin")];
    const [demoted, removed] = [
      await createToken({ ctx: amy, input: wanted }),
      await createToken({ ctx: bob, input: wanted }),
    ];
    await use(demoted);
    await changeRole({ ctx: ada.ctx, input: { workspace, userId: idOf(amy), role: "member" } });
    await removeMember({ ctx: ada.ctx, input: { workspace, userId: idOf(bob) } });
    for (const token of [demoted, removed]) await expect(use(token)).rejects.toThrow("was revoked");
    await expect(use(hers)).resolves.toBeDefined();
    const { events } = await listAudit({ ctx: ada.ctx, input: { workspace } });
    expect(events.filter(({ what }) => what === "token-revoked")).toHaveLength(2);
  });

  it("may what their role says from the next request on, and see no addresses but their own", async () => {
    const ada = await world.person("Ada");
    const { workspace } = ada;
    const bob = await joins(ada, "admin");
    await createEnrollment({ ctx: bob, input: { workspace } });
    await changeRole({ ctx: ada.ctx, input: { workspace, userId: idOf(bob), role: "viewer" } });
    await expect(createEnrollment({ ctx: bob, input: { workspace } })).rejects.toMatchObject({
      code: "forbidden",
    });
    expect((await listRuns({ ctx: bob, input: { workspace, limit: 5 } })).runs).toEqual([]);
    const { members } = await listMembers({ ctx: bob, input: { workspace } });
    expect(members.map(({ you, email }) => [you, email === null])).toEqual([
      [false, true],
      [true, false],
    ]);
    await removeMember({ ctx: ada.ctx, input: { workspace, userId: idOf(bob) } });
    await expect(listRuns({ ctx: bob, input: { workspace, limit: 5 } })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
