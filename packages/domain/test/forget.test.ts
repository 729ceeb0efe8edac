import { describe, expect, it } from "vitest";
import { forget } from "../src/account/forget";
import { useWorld } from "./world";

const world = useWorld();
const DAY_MS = 86_400_000;

describe("what only says who somebody was and where", () => {
  it("goes a week after a session's end, and a month after an invitation's", async () => {
    const ada = await world.person("Ada");
    if (ada.ctx.actor.kind !== "user") throw new Error("no person");
    const userId = ada.ctx.actor.userId;
    const { prisma } = world.domain.db;
    const { workspace_id } = await prisma.workspaceSlug.findUniqueOrThrow({ where: { slug: ada.workspace } });
    const ago = (days: number) => new Date(world.system.now().getTime() - days * DAY_MS);
    for (const days of [-1, 6, 8])
      await prisma.session.create({
        data: { id: `s${days}`, userId, token: `t${days}`, expiresAt: ago(days) },
      });
    for (const days of [-1, 29, 31])
      await prisma.invitation.create({
        data: {
          ...{ workspace_id, invitation_id: crypto.randomUUID(), role: "viewer", expires_at: ago(days) },
          email: `of${days}@example.org`,
        },
      });
    await forget({ ctx: world.system });
    const sessions = await prisma.session.findMany({ where: { userId }, orderBy: { expiresAt: "desc" } });
    expect(sessions.map(({ id }) => id).filter((id) => /^s-?\d+$/.test(id))).toEqual(["s-1", "s6"]);
    const invitations = await prisma.invitation.findMany({
      where: { workspace_id },
      orderBy: { expires_at: "desc" },
    });
    expect(invitations.map(({ email }) => email)).toEqual(["of-1@example.org", "of29@example.org"]);
  });
});
