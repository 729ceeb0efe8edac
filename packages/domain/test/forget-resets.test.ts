import { expect, it } from "vitest";
import { authenticateToken, createToken, forgetResets } from "../src/index";
import { useWorld } from "./world";

const world = useWorld();

it("ends a person's own tokens when the password was set anew, and no workspace's", async () => {
  const ada = await world.person("Ada");
  const wanted = { name: "ci", scopes: ["read" as const], days: null };
  const own = await createToken({ ctx: ada.ctx, input: { ...wanted, workspace: null } });
  const { workspace } = ada;
  const shared = await createToken({ ctx: ada.ctx, input: { ...wanted, workspace } });
  const use = (token: string) => authenticateToken({ ctx: world.anonymous, input: { token } });
  await use(own.token);
  const userId = ada.ctx.actor.kind === "user" ? ada.ctx.actor.userId : "";
  await forgetResets({ ctx: world.system, input: { userId } });
  await expect(use(own.token)).rejects.toThrow("was revoked");
  await expect(use(shared.token)).resolves.toBeDefined();
});
