import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";

export interface Person {
  name: string;
  email: string;
  password: string;
}
export const somebody = (name = "Ada Benchmark"): Person => ({
  name,
  email: `ada-${randomBytes(4).toString("hex")}@example.org`,
  password: `long-${randomBytes(9).toString("base64url")}`,
});

/** Through the form, as a person would; ends on the front page of the new workspace. */
export async function signUp(page: Page, url: string, person: Person): Promise<string> {
  await page.goto(`${url}/sign-up`);
  await page.getByLabel("Name", { exact: true }).fill(person.name);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL(/\/w\/[^/]+$/);
  return new URL(page.url()).pathname.split("/")[2] ?? "";
}
