import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { withSecretFiles } from "../src/secrets";

const folder = mkdtempSync(join(tmpdir(), "rigmark-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test("a secret comes from its file, without the end of the line", () => {
  const read = withSecretFiles({ AUTH_SECRET_FILE: file("auth", "a secret \n"), PORT: "1" });
  expect(read).toMatchObject({ AUTH_SECRET: "a secret ", PORT: "1" });
  expect(withSecretFiles({ AUTH_SECRET: "x", SMTP_URL_FILE: "" })).toMatchObject({ AUTH_SECRET: "x" });
});

test("only secrets come from files", () => {
  expect(withSecretFiles({ PORT_FILE: file("port", "1") })).not.toHaveProperty("PORT");
});

test("what is wrong is said in a sentence that names the setting and never the secret", () => {
  const twice = { AUTH_SECRET: "secret", AUTH_SECRET_FILE: file("twice", "secret") };
  expect(() => withSecretFiles(twice)).toThrow("Set AUTH_SECRET or AUTH_SECRET_FILE, not both.");
  expect(() => withSecretFiles({ SMTP_URL_FILE: "/nowhere" })).toThrow(
    /^SMTP_URL_FILE names \/nowhere, which/,
  );
  expect(() => withSecretFiles({ SMTP_URL_FILE: file("empty", "\n") })).toThrow(/which is empty\.$/);
  expect(() => withSecretFiles({ SMTP_URL_FILE: file("long", "x".repeat(65_537)) })).toThrow(/64 KiB/);
});
