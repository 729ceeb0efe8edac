import { SIGN_UP } from "@rigmark/results/settings";
import { expect, it } from "vitest";
import { requireSignUp } from "../src/index";
import { useWorld } from "./world";

const world = useWorld();

it.each([
  ["open", "ada@example.com", true],
  ["closed", "ada@example.com", false],
  ["example.com", "ada@example.com", true],
  ["example.com", "ada@EXAMPLE.com", true],
  ["example.com", "ada@sub.example.com", false],
  ["example.com", "ada@example.com.evil.org", false],
  ["example.com", "ada@example.com@evil.org", false],
  ["example.com", "@example.com", false],
  ["example.com", "example.com", false],
])("SIGN_UP=%s and %s: %s", async (signUp, email, may) => {
  const ctx = { ...world.system, config: { ...world.system.config, signUp } };
  const input = { email, claimToken: null, invitationToken: null, making: true };
  const asked = requireSignUp({ ctx, input });
  if (may) expect(await asked).toEqual({ invited: false, proved: false });
  else await expect(asked).rejects.toMatchObject({ code: "forbidden" });
});

it("is closed unless set, and a made-up link opens nothing", async () => {
  const ask = (claimToken: string | null) =>
    requireSignUp({
      ctx: world.system,
      input: { email: "ada@example.com", claimToken, invitationToken: null, making: true },
    });
  await expect(ask(null)).rejects.toThrow(/invitation/);
  await expect(ask("rgmc_wrong")).rejects.toMatchObject({ code: "forbidden" });
});

it("is set to open, closed or a domain", () => {
  for (const good of ["open", "closed", "example.org", "a-b.Example.co"])
    expect(SIGN_UP.test(good)).toBe(true);
  for (const bad of [
    "",
    "opne",
    "yes",
    "@example.org",
    "*.example.org",
    "example.org,b.org",
    "-a.org",
    "1.2.3.4",
  ])
    expect(SIGN_UP.test(bad), bad).toBe(false);
});
