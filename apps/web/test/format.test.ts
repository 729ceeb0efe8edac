import type { Language } from "@rigmark/messages";
import { LOCALES } from "@rigmark/messages";
import { MESSAGES } from "@rigmark/messages/catalogue";
import formatFromText from "use-intl/format-message";
import { describe, expect, it } from "vitest";
import formatMessage, { compiled } from "@/i18n/format";
import { inTheBrowser, inWorkspace } from "@/lib/messages";

type Node = string | { readonly [key: string]: Node };
const texts = (node: Node): string[] =>
  typeof node === "string" ? [node] : Object.values(node).flatMap(texts);
const tag = (chunks: unknown) => `[${[chunks].flat().join("")}]`;

/** A value for each placeholder: numbers, for which plurals differ, and tags. */
const valuesFor = (message: string, n: number) =>
  Object.fromEntries([
    ...[...message.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name = ""]) => [name, n]),
    ...[...message.matchAll(/<(\w+)>/g)].map(([, name = ""]) => [name, tag]),
  ]);

describe("a compiled message", () => {
  it.each<Language>(["en", "zh"])("says what the catalogue's text says: %s", (language) => {
    const more = formatOptions(LOCALES[language]);
    for (const message of texts(MESSAGES[language]))
      for (const n of [0, 1, 2, 1234]) {
        const values = valuesFor(message, n);
        const read = formatFromText("key", message, values, more);
        expect(formatMessage("key", message, values, more), message).toEqual(read);
        expect(formatMessage("key", compiled(message), values, more), message).toEqual(read);
      }
  });
});

const formatOptions = (locale: string) =>
  ({
    locale,
    cache: {
      dateTime: {},
      number: {},
      message: {},
      relativeTime: {},
      pluralRules: {},
      list: {},
      displayNames: {},
    },
    formatters: {
      getNumberFormat: (...of: ConstructorParameters<typeof Intl.NumberFormat>) =>
        new Intl.NumberFormat(...of),
      getPluralRules: (...of: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...of),
      getDateTimeFormat: (...of: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
        new Intl.DateTimeFormat(...of),
    },
  }) as unknown as Parameters<typeof formatMessage>[3];

describe("what the browser gets", () => {
  it("has no message that would have to be read there", () => {
    const ui = { a: "{n, plural, one {# row} other {# rows}}", b: "plain" };
    const sent = JSON.stringify(inTheBrowser({ ui, figure: {}, public: {} }));
    expect(sent).not.toContain("plural");
    expect(JSON.parse(sent).ui.b).toBe("plain");
  });

  it("can be sent by React: plain objects only", () => {
    const plain = (node: unknown): boolean =>
      typeof node !== "object" || node === null
        ? true
        : [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(node)) &&
          Object.values(node).every(plain);
    expect(plain(inTheBrowser(MESSAGES.en, Object.keys(MESSAGES.en)))).toBe(true);
  });

  it("leaves out what only the server says", () => {
    const sent = inTheBrowser(MESSAGES.zh, ["public.auth"]);
    expect(Object.keys(sent).sort()).toEqual(["figure", "public", "ui"]);
    expect(Object.keys(sent.public as object).sort()).toEqual(["auth", "error"]);
    const inside = Object.keys(inWorkspace(MESSAGES.en)).sort();
    expect(inside).toEqual(["code", "figure", "metric", "public", "report", "ui"]);
  });
});
