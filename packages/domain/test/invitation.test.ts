import type { InvitedRole, Role } from "@rigmark/results";
import { describe, expect, it, vi } from "vitest";
import {
  acceptInvitation,
  type Ctx,
  changeRole,
  createInvitation,
  getInvitation,
  joinInvited,
  listAudit,
  listInvitations,
  listWorkspaces,
  type MailInvitation,
  removeMember,
  requireSignUp,
  revokeInvitation,
} from "../src/index";
import { type Person, useWorld } from "./world";

const world = useWorld();
const DAY_S = 86_400;

async function invite(by: Person, role: InvitedRole = "member", email: string | null = null) {
  const { url } = await createInvitation({
    ctx: by.ctx,
    input: { workspace: by.workspace, role, email, mail: null },
  });
  return new URL(url ?? "").searchParams.get("token") ?? "";
}
const accept = (ctx: Ctx, token: string) => acceptInvitation({ ctx, input: { token } });
const stateOf = async (token: string) =>
  (await getInvitation({ ctx: world.anonymous, input: { token } })).state;
const emailOf = ({ actor }: Ctx): string => (actor.kind === "user" ? actor.email : "");
const rolesOf = async (ctx: Ctx) =>
  (await listWorkspaces({ ctx, input: {} })).map(({ slug, role }) => `${slug} ${role}`);

describe("an invitation", () => {
  it("makes one of those who use it at once a member", async () => {
    const ada = await world.person("Ada");
    const people = await Promise.all(["Bob", "Eve"].map((name) => world.person(name)));
    const token = await invite(ada, "viewer");
    const tries = await Promise.allSettled(people.map(({ ctx }) => accept(ctx, token)));
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const roles = (await Promise.all(people.map(({ ctx }) => rolesOf(ctx)))).flat();
    expect(roles.filter((each) => each === `${ada.workspace} viewer`)).toHaveLength(1);
    expect(await stateOf(token)).toBe("used");
    // Whoever joined follows the link again.
    const joined = people[tries.findIndex(({ status }) => status === "fulfilled")];
    expect(await accept(joined?.ctx ?? world.anonymous, token)).toEqual({ workspace: ada.workspace });
  });

  it("is for its address alone, works for seven days, and can be revoked", async () => {
    const ada = await world.person("Ada");
    const [bob, eve] = [await world.person("Bob"), await world.person("Eve")];
    const token = await invite(ada, "member", emailOf(bob.ctx).toUpperCase());
    await expect(accept(eve.ctx, token)).rejects.toThrow(/another address/);
    await accept(bob.ctx, token);
    const revoked = await invite(ada);
    const [newest] = (await listInvitations({ ctx: ada.ctx, input: { workspace: ada.workspace } }))
      .invitations;
    const input = { workspace: ada.workspace, invitationId: newest?.invitation_id ?? "" };
    await revokeInvitation({ ctx: ada.ctx, input });
    await expect(accept(eve.ctx, revoked)).rejects.toThrow(/was revoked/);
    const late = await invite(ada);
    world.clock.advance(7 * DAY_S + 1);
    await expect(accept(eve.ctx, late)).rejects.toThrow(/seven days/);
    await expect(accept(eve.ctx, "rgmi_wrong")).rejects.toThrow(/not known here/);
  });

  it("gives no more than whoever made it may give", async () => {
    const ada = await world.person("Ada");
    const bob = await world.person("Bob");
    await accept(bob.ctx, await invite(ada, "admin"));
    const asBob = { ctx: bob.ctx, workspace: ada.workspace };
    await expect(invite(asBob, "admin")).rejects.toMatchObject({ code: "forbidden" });
    await invite(asBob, "member");
    // Accepting another one changes nothing for who is a member.
    await accept(bob.ctx, await invite(ada, "viewer"));
    expect(await rolesOf(bob.ctx)).toContain(`${ada.workspace} admin`);
    const userId = bob.ctx.actor.kind === "user" ? bob.ctx.actor.userId : "";
    await changeRole({ ctx: ada.ctx, input: { workspace: ada.workspace, userId, role: "member" } });
    await expect(invite(asBob)).rejects.toMatchObject({ code: "forbidden" });
  });

  it("works no more once whoever made it may not give its role, or has left", async () => {
    const ada = await world.person("Ada");
    const bob = await world.person("Bob");
    const { workspace } = ada;
    await accept(bob.ctx, await invite(ada, "admin"));
    const userId = bob.ctx.actor.kind === "user" ? bob.ctx.actor.userId : "";
    const become = (role: Role) => changeRole({ ctx: ada.ctx, input: { workspace, userId, role } });
    const asBob = { ctx: bob.ctx, workspace };
    await become("owner");
    const [hers, his, another] = [await invite(ada), await invite(asBob), await invite(asBob, "admin")];
    await become("admin");
    expect(await Promise.all([his, another].map(stateOf))).toEqual(["usable", "revoked"]);
    await become("member");
    expect(await stateOf(his)).toBe("revoked");
    await become("admin");
    const last = await invite(asBob);
    await removeMember({ ctx: ada.ctx, input: { workspace, userId } });
    expect(await Promise.all([hers, last].map(stateOf))).toEqual(["usable", "revoked"]);
    const { events } = await listAudit({ ctx: ada.ctx, input: { workspace } });
    expect(events.filter(({ what }) => what === "invitation-revoked")).toHaveLength(3);
  });

  it("goes by mail to its address and nowhere else, and is taken back when the mail fails", async () => {
    const ada = await world.person("Ada");
    const mail = vi.fn<MailInvitation>(async () => undefined);
    const create = (send: MailInvitation) =>
      createInvitation({
        ctx: ada.ctx,
        input: { workspace: ada.workspace, role: "member", email: "bob@example.org", mail: send },
      });
    expect((await create(mail)).url).toBeNull();
    expect(mail).toHaveBeenCalledWith(
      expect.objectContaining({
        email: "bob@example.org",
        url: expect.stringContaining("/join?token=rgmi_"),
      }),
    );
    const broken = vi.fn<MailInvitation>(() => Promise.reject(new Error("no route to host")));
    await expect(create(broken)).rejects.toMatchObject({ code: "unavailable" });
    const list = await listInvitations({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    expect(list.invitations.map(({ state }) => state)).toEqual(["waiting"]);
    await create(mail);
    // Whoever invites it: the address gets no more than three mails in five minutes.
    await expect(create(mail)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("allows one account on a closed installation, which belongs to the workspace", async () => {
    const ada = await world.person("Ada");
    const token = await invite(ada);
    const ask = (making: boolean) =>
      requireSignUp({
        ctx: world.system,
        input: { email: "new@example.org", claimToken: null, invitationToken: token, making },
      });
    expect(await ask(false)).toEqual({ invited: true, proved: false });
    const both = await Promise.allSettled([ask(true), ask(true)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const eve = await world.person("Eve");
    const userId = eve.ctx.actor.kind === "user" ? eve.ctx.actor.userId : "";
    await joinInvited({ ctx: world.system, input: { token, email: "new@example.org", userId } });
    expect(await rolesOf(eve.ctx)).toContain(`${ada.workspace} member`);
    await expect(ask(true)).rejects.toThrow(/used already/);
  });

  it("that a failed sign-up used up lets nobody in later, nor once it is revoked", async () => {
    const ada = await world.person("Ada");
    const eve = await world.person("Eve");
    const userId = eve.ctx.actor.kind === "user" ? eve.ctx.actor.userId : "";
    const email = emailOf(eve.ctx);
    const burn = async () => {
      const token = await invite(ada);
      const input = { email, claimToken: null, invitationToken: token, making: true };
      await requireSignUp({ ctx: world.system, input });
      return token;
    };
    const join = (token: string) => joinInvited({ ctx: world.system, input: { token, email, userId } });
    const late = await burn();
    world.clock.advance(601);
    await join(late);
    const revoked = await burn();
    const { workspace } = ada;
    const [newest] = (await listInvitations({ ctx: ada.ctx, input: { workspace } })).invitations;
    const input = { workspace, invitationId: newest?.invitation_id ?? "" };
    await revokeInvitation({ ctx: ada.ctx, input });
    await join(revoked);
    expect(await rolesOf(eve.ctx)).not.toContain(`${workspace} member`);
  });
});
