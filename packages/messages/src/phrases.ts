type Messages = Readonly<Record<string, string>>;
type Translate = (key: string, values?: Record<string, string>) => string;

/** The English of `phrase`, `field` and `scenario`, by key. A page in English, and the browser, do without. */
export interface Phrases {
  phrase: Messages;
  field: Messages;
  scenario: Messages;
}
export const NO_PHRASES: Phrases = { phrase: {}, field: {}, scenario: {} };

const made = new WeakMap<Messages, ReturnType<typeof patternsOf>>();

/**
 * Phrases that packages/stats, the app and the agent's checks write in English and that reports keep as such. The English
 * message is the pattern, so that the catalogue says each phrase once.
 */
const patternsOf = (messages: Messages) =>
  Object.entries(messages)
    .map(([key, message]) => {
      const names = [...message.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      const parts = message.split(/\{\w+\}/);
      const source = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return {
        key,
        names,
        pattern: new RegExp(`^${source.join("(.+?)")}$`, "s"),
        own: parts.join("").length,
      };
    })
    // The most particular first: the one that says most itself.
    .sort((a, b) => b.own - a.own);

/** Nothing that Rigmark writes is longer, or has more phrases within each other: text of others must not cost more than that. */
const [MOST_CHARS, MOST_DEEP] = [600, 4];

/** A phrase in the language of `t`, with phrases inside it; null where the catalogue does not know it. */
export function recognize(phrases: Phrases, text: string, t: Translate, deep = 0): string | null {
  if (text.length > MOST_CHARS || deep === MOST_DEEP) return null;
  return find(
    phrases.phrase,
    text,
    (key, values) => t(`phrase.${key}`, values),
    (value) =>
      NAMED.test(value) ? value : (recognize(phrases, value, t, deep + 1) ?? `“\u2068${value}\u2069”`),
  );
}

/** The same of what differs between two environments, by name or by value. */
export const recognizeField = (phrases: Phrases, text: string, t: Translate): string | null =>
  find(
    phrases.field,
    text,
    (key, values) => t(`field.${key}`, values),
    (value) => (CORES.test(value) ? value : `\u2068${value}\u2069`),
  );

/**
 * A scenario's title, which names its parts one after the other (`1 KB file, ab, 32 connections`); null where one of them
 * is somebody's own words.
 */
export function recognizeTitle(phrases: Phrases, text: string, t: Translate): string | null {
  const parts = text.split(", ").map((part) =>
    NAMED.test(part)
      ? part
      : find(
          phrases.scenario,
          part,
          (key, values) => t(`scenario.${key}`, values),
          (value) => (NUMBER.test(value) ? value : null),
        ),
  );
  return parts.includes(null) ? null : parts.join(t("ui.comma"));
}

function find(
  messages: Messages,
  text: string,
  write: Translate,
  /** Null where it is nothing that may stand there. */
  inside: (value: string) => string | null,
): string | null {
  const patterns = made.get(messages) ?? patternsOf(messages);
  made.set(messages, patterns);
  for (const { key, names, pattern } of patterns) {
    const found = pattern.exec(text);
    const values = found?.slice(1).map(inside);
    if (values && !values.includes(null))
      return write(key, Object.fromEntries(names.map((name, i) => [name, values[i] ?? ""])));
  }
  return null;
}

/** `0-1,4`. */
const CORES = /^[\d,-]+$/;
/** A number, with its unit. */
const NUMBER = /^[\d.,]+(?: (?:B|KB|MB|GB|ms|µs|s))?$/;
/** A number, a tool, or a file. */
const NAMED = /^(?:[\d.,]+|ab|wrk|k6|h2load|autocannon|loadgen)$/;
