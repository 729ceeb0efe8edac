import { CLAIM_HEADER } from "@rigmark/results/settings";
import type { Browser, BrowserContext } from "playwright-core";
import { CommandError } from "../say";
import { type Home, signInUrl } from "../up/home";
import { withBrowser } from "./browser";

/** Who signed up, once there is somebody: the link for the first owner works once. */
export interface Owner {
  cookies: Awaited<ReturnType<BrowserContext["storageState"]>> | null;
}

export async function signedIn(browser: Browser, home: Home, owner: Owner): Promise<BrowserContext> {
  if (owner.cookies) return browser.newContext({ storageState: owner.cookies });
  const context = await browser.newContext();
  await becomeOwner(context, home);
  owner.cookies = await context.storageState();
  return context;
}

/** What a program sends to be signed in as the owner. */
export async function cookieHeader(home: Home, owner: Owner): Promise<string> {
  const state =
    owner.cookies ??
    (await withBrowser(async (browser) => (await signedIn(browser, home, owner)).storageState()));
  return state.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** Signs up and takes the workspace over, as the first person does with the printed link. */
async function becomeOwner(context: BrowserContext, home: Home): Promise<void> {
  const token = new URL(await signInUrl(home)).searchParams.get("token");
  const origin = { Origin: home.publicUrl, [CLAIM_HEADER]: token ?? "" };
  const signUp = await context.request.post(`${home.publicUrl}/api/auth/sign-up/email`, {
    headers: origin,
    data: { name: "Bench", email: "bench@example.org", password: `bench-${process.pid}-long-enough` },
  });
  if (!signUp.ok()) throw new CommandError(`signing up failed: ${await signUp.text()}`);
  const claim = await context.request.post(`${home.publicUrl}/api/trpc/setup.claim`, {
    headers: origin,
    data: { json: { token } },
  });
  if (!claim.ok()) throw new CommandError(`taking the workspace over failed: ${await claim.text()}`);
}
