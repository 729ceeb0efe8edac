import { expect, test } from "vitest";
import { enrollCommands } from "../src/host/internal/commands";

const key = `rgme_${"k".repeat(43)}`;

test.each(["https://rigmark.example", "http://192.168.1.10:4270"])(
  "no command line for %s has the key",
  (url) => {
    const { commands } = enrollCommands(url, key);
    for (const command of Object.values(commands)) {
      expect(command).toMatch(new RegExp(`(^|[|&] )RIGMARK_ENROLL_KEY=${key} (sh|rigmark) `));
      expect(command.split(key)).toHaveLength(2);
    }
    expect(commands.install.includes("--allow-http")).toBe(url.startsWith("http:"));
  },
);
