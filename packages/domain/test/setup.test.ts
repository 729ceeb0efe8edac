import { sql } from "@rigmark/db";
import { describe, expect, it } from "vitest";
import {
  claimHome,
  createEnrollment,
  createWorkspace,
  ensureHome,
  getSetupStatus,
  listWorkspaces,
  requireSignUp,
} from "../src/index";
import { useWorld } from "./world";

const world = useWorld();

const nobodyOwnsHome = () =>
  world.domain.db.query(
    sql`DELETE FROM member WHERE workspace_id = (SELECT workspace_id FROM workspace WHERE home)`,
  );

describe("the first owner", () => {
  it("is not whoever calls himself Home before the launcher came", async () => {
    const squatter = await world.person("Home");
    expect(squatter.workspace).toBe("home-2");
    expect((await world.person("Sign in")).workspace).toBe("sign-in-2");
    expect((await world.person("Docs")).workspace).toBe("docs-2");
    // Even one that has the name from before it was kept.
    await world.domain.db.query(sql`UPDATE workspace_slug SET slug = 'home' WHERE slug = 'home-2'`);
    expect(await getSetupStatus({ ctx: world.anonymous, input: {} })).toEqual({
      claimed: null,
      home: null,
      link: null,
    });
    const home = await ensureHome({ ctx: world.system });
    expect(home).toMatchObject({ workspace: "home-2", claimed: false });
    await world.domain.db.query(sql`DELETE FROM workspace WHERE home`);
    await world.domain.db.query(sql`UPDATE workspace_slug SET slug = 'home-3' WHERE slug = 'home'`);
  });

  it("gives a link that works for an hour and is printed anew on request", async () => {
    const old = (await ensureHome({ ctx: world.system })).claimToken ?? "";
    const ada = await world.person("Ada");
    const mayJoin = (claimToken: string, making = false) =>
      requireSignUp({
        ctx: world.system,
        input: { email: "ada@example.org", claimToken, invitationToken: null, making },
      });
    world.clock.advance(3000);
    expect(await mayJoin(old)).toEqual({ invited: true, proved: true });
    world.clock.advance(600);
    const late = await getSetupStatus({ ctx: world.anonymous, input: { token: old } });
    expect(late).toMatchObject({ claimed: false, link: { state: "expired" } });
    expect(late.link?.message).toMatch(/one hour.*\.\/rig up/);
    await expect(claimHome({ ctx: ada.ctx, input: { token: old } })).rejects.toMatchObject({
      code: "state",
      message: late.link?.message,
    });
    await expect(mayJoin(old)).rejects.toMatchObject({ code: "forbidden" });
    const fresh = (await ensureHome({ ctx: world.system })).claimToken ?? "";
    expect(await mayJoin(fresh)).toEqual({ invited: true, proved: true });
    const both = await Promise.allSettled([mayJoin(fresh, true), mayJoin(fresh, true)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(mayJoin(fresh)).rejects.toThrow(/used already/);
    // The account is made; whoever is signed in with it can still take the installation over.
    const linkFor = async (ctx: typeof ada.ctx) =>
      (await getSetupStatus({ ctx, input: { token: fresh } })).link?.state;
    expect([await linkFor(world.anonymous), await linkFor(ada.ctx)]).toEqual(["used", "usable"]);
    const eve = await world.person("Eve");
    const takers = [ada, eve].map(({ ctx }) => claimHome({ ctx, input: { token: fresh } }));
    expect((await Promise.allSettled(takers)).map(({ status }) => status).sort()).toEqual([
      "fulfilled",
      "rejected",
    ]);
    expect(await linkFor(ada.ctx)).toBe("used");
    await world.domain.db.query(
      sql`DELETE FROM member WHERE workspace_id = (SELECT workspace_id FROM workspace WHERE home)`,
    );
  });

  it("claims home with a token that works once, and the launcher finds it claimed", async () => {
    const first = await ensureHome({ ctx: world.system });
    expect(first).toMatchObject({ workspace: "home", claimed: false });
    const again = await ensureHome({ ctx: world.system });
    const linkOf = async (token: string | null) =>
      (await getSetupStatus({ ctx: world.anonymous, input: { token: token ?? "" } })).link?.state;
    expect(await linkOf(first.claimToken)).toBe("unknown");
    expect(await linkOf(again.claimToken)).toBe("usable");
    const ada = await world.person("Ada");
    const eve = await world.person("Eve");
    const claim = (ctx: typeof ada.ctx, token: string) => claimHome({ ctx, input: { token } });
    await expect(claim(world.anonymous, again.claimToken ?? "")).rejects.toMatchObject({
      code: "unauthenticated",
    });
    await expect(claim(eve.ctx, first.claimToken ?? "")).rejects.toMatchObject({ code: "state" });
    expect(await claim(ada.ctx, again.claimToken ?? "")).toEqual({ workspace: "home" });
    await expect(claim(eve.ctx, again.claimToken ?? "")).rejects.toMatchObject({ code: "state" });
    expect(await linkOf(again.claimToken)).toBe("used");
    expect(await ensureHome({ ctx: world.system })).toEqual({
      workspace: "home",
      claimed: true,
      claimToken: null,
    });
    await expect(ensureHome({ ctx: ada.ctx })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("has no other workspace than home, unless it is in use", async () => {
    const claim = async (ctx: typeof world.anonymous) => {
      const { claimToken } = await ensureHome({ ctx: world.system });
      await claimHome({ ctx, input: { token: claimToken ?? "" } });
      const mine = await listWorkspaces({ ctx, input: {} });
      await nobodyOwnsHome();
      return mine.map((w) => w.slug).sort();
    };
    await nobodyOwnsHome();
    expect(await claim((await world.person("Dora")).ctx)).toEqual(["home"]);
    const bob = await world.person("Bob");
    await createEnrollment({ ctx: bob.ctx, input: { workspace: bob.workspace, name: "lab" } });
    expect(await claim(bob.ctx)).toEqual([bob.workspace, "home"].sort());
    const cleo = await world.person("Cleo");
    await createWorkspace({ ctx: cleo.ctx, input: { name: "Team" } });
    expect(await claim(cleo.ctx)).toEqual(["home", "team"]);
  });

  it("gets a workspace of one's own at sign-up, under a slug that is free", async () => {
    const [a, b] = [await world.person("Zoë O'Neil"), await world.person("Zoë O'Neil")];
    expect([a.workspace, b.workspace]).toEqual(["zoe-o-neil", "zoe-o-neil-2"]);
  });
});
