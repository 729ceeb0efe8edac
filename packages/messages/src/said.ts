import fields from "../en/field.json" with { type: "json" };
import phrases from "../en/said.json" with { type: "json" };

type Translate = (key: string, values?: Record<string, string>) => string;

/**
 * Phrases that packages/stats, the app and the agent's checks write in English and that reports keep as such. The English
 * message is the pattern, so that the catalogue says each phrase once.
 */
const patternsOf = (messages: Record<string, string>) =>
  Object.entries(messages)
    .map(([key, message]) => {
      const names = [...message.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      const source = message.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return { key, names, pattern: new RegExp(`^${source.join("(.+?)")}$`, "s"), length: message.length };
    })
    // The most particular first.
    .sort((a, b) => a.names.length - b.names.length || b.length - a.length);

const PHRASES = patternsOf(phrases);
const FIELDS = patternsOf(fields);

/** A phrase in the language of `t`, with phrases inside it; null where the catalogue does not know it. */
export function recognize(text: string, t: Translate): string | null {
  return find(
    PHRASES,
    text,
    (key, values) => t(`said.${key}`, values),
    (value) => (NAMED.test(value) ? value : (recognize(value, t) ?? `“\u2068${value}\u2069”`)),
  );
}

/** The same of what differs between two environments, by name or by value. */
export const recognizeField = (text: string, t: Translate): string | null =>
  find(
    FIELDS,
    text,
    (key, values) => t(`field.${key}`, values),
    (value) => `\u2068${value}\u2069`,
  );

function find(
  patterns: ReturnType<typeof patternsOf>,
  text: string,
  write: Translate,
  inside: (value: string) => string,
): string | null {
  for (const { key, names, pattern } of patterns) {
    const found = pattern.exec(text);
    if (found)
      return write(key, Object.fromEntries(names.map((name, i) => [name, inside(found[i + 1] ?? "")])));
  }
  return null;
}

/** A number, a tool, or a file. */
const NAMED = /^(?:[\d.,]+|ab|wrk|k6|h2load|autocannon|loadgen)$/;
