import {
  type Bound,
  formatBound,
  formatDuration,
  formatInterval,
  formatQuantity,
  type MetricId,
  type Unit,
} from "@rigmark/metrics";
import { NO_PHRASES, type Phrases, recognize, recognizeField, recognizeTitle } from "./phrases";

export type Language = "en" | "zh";
/** As `<html lang>`, `Intl` and the folders of the catalogue call them. */
export const LOCALES = { en: "en", zh: "zh-CN" } as const;
export const languageOfLocale = (locale: string): Language => (locale.startsWith("zh") ? "zh" : "en");

type Values = Record<string, string | number>;
type Translate = (key: string, values?: Values) => string;

/**
 * Text in a language: the messages of the catalogue, and numbers and times as that language writes them. Without
 * messages of its own, since pages carry them: `catalogue.ts` has them.
 */
export interface Words {
  language: Language;
  t: Translate;
  metric(id: MetricId): { title: string; meaning: string };
  quantity(value: number | null | undefined, unit: Unit): string;
  bound(value: number | null | undefined, unit: Unit, bound: Bound): string;
  interval(of: { low: number; high: number }, bound: Bound, write?: (value: number) => string): string;
  duration(seconds: number | null | undefined): string;
  moment(iso: string | null | undefined): string;
  /** A phrase that statistics or agent wrote in English: translated where the catalogue knows it, else quoted. */
  phrase(text: string): string;
  /** The same where the report has the phrase in Chinese, too; null in older reports. */
  phraseIn(text: string, chinese: string | null): string;
  /** What differs between two environments: its name, or a value of it. */
  field(text: string): string;
  /** A reason or a label: its code translated, and behind it the detail in the agent's own words. */
  coded(of: { code: string; message: string }): string;
  /** A scenario's title; where it is somebody's own, as `name`. */
  title(text: string): string;
  /** A name that has no translation, such as a kernel's version. */
  name(text: string): string;
  /** A sentence of packages/stats; an English reason that it quotes is marked as such. */
  sentence(text: string): string;
  /** `a, b and c`. */
  list(items: readonly string[]): string;
  /** Short phrases in one cell. */
  join(parts: readonly (string | null | undefined | false)[]): string;
  /** Whole sentences, one after another. */
  sentences(parts: readonly (string | null | undefined | false)[]): string;
}

/** First strong isolate and its end: what stands between them is in another language. Never in text from an agent. */
const [OPEN, CLOSE] = ["\u2068", "\u2069"];
const foreign = (text: string): string => `${OPEN}${text}${CLOSE}`;
/** Text with each part that is in English on a Chinese page told apart. */
export function foreignParts(text: string): { text: string; foreign: boolean }[] {
  return text
    .split(/(\u2068[^\u2069]*\u2069)/)
    .filter((part) => part !== "")
    .map((part) =>
      part.startsWith(OPEN) ? { text: part.slice(1, -1), foreign: true } : { text: part, foreign: false },
    );
}
/** Without the marks: for what is no HTML. */
export const bare = (text: string): string => text.replace(/[\u2068\u2069]/g, "");

/** Three English words or more: somebody's own words inside a Chinese sentence. */
const ENGLISH = /[A-Za-z][\w’'-]*(?:[ ,;:]+[\w.,’'()%/-]+){2,}[.!?]?/g;

const DATES = {
  en: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }),
  zh: new Intl.DateTimeFormat("zh-CN", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }),
};
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

export function wordsOf(t: Translate, language: Language, phrases: Phrases = NO_PHRASES): Words {
  const zh = language === "zh";
  const quote = (text: string): string => (zh ? `“${foreign(text)}”` : text);
  const inUnits = (text: string): string =>
    zh
      ? text
          .replace(/^((?:[≥≤] )?[\d.,]+)\u00a0cores$/, (_, n) => t("ui.cores", { n }))
          .replace(/^((?:[≥≤] )?[\d.,]+)\u00a0req\/s\/core$/, (_, n) => t("ui.perCore", { n }))
      : text;
  const phrase = (text: string): string =>
    zh && text !== "" ? (recognize(phrases, text, t) ?? quote(text)) : text;
  const name = (text: string): string => (zh && /[A-Za-z]/.test(text) ? foreign(text) : text);
  const sentence = (text: string): string => (zh ? text.replace(ENGLISH, foreign) : text);
  const join = (parts: readonly (string | null | undefined | false)[], between = t("ui.comma")): string =>
    parts.filter(Boolean).join(between);
  return {
    language,
    t,
    metric: (id) => ({ title: t(`metric.${id}.title`), meaning: t(`metric.${id}.meaning`) }),
    quantity: (value, unit) => inUnits(formatQuantity(value, unit)),
    bound: (value, unit, bound) => inUnits(formatBound(value, unit, bound)),
    interval: (of, bound, write) => {
      const text = write ? formatInterval(of, bound, write) : formatInterval(of, bound);
      return zh && text === "too wide" ? t("ui.tooWide") : text;
    },
    duration: formatDuration,
    moment: (iso) => {
      const at = iso ? new Date(iso) : null;
      if (!at || Number.isNaN(at.getTime())) return "–";
      const [date, clock] = [DATES[language].format(at), CLOCK.format(at)];
      return zh ? `${date} ${clock} UTC` : `${date}, ${clock} UTC`;
    },
    phrase,
    phraseIn: (text, chinese) => (zh && chinese ? sentence(chinese) : phrase(text)),
    field: (text) => (zh ? (recognizeField(phrases, text, t) ?? foreign(text)) : text),
    coded: ({ code, message }) => {
      const known = CODE.test(code) ? named(t, code) : null;
      if (!zh) return message || known || code;
      if (!known) return message ? phrase(message) : foreign(code);
      return message ? `${known}${t("ui.colon")}${phrase(message)}` : known;
    },
    title: (text) => (zh && recognizeTitle(phrases, text, t)) || name(text),
    name,
    sentence,
    list: (items) => {
      const last = items.at(-1);
      if (items.length < 2 || last === undefined) return items.join();
      return t("ui.listLast", { list: items.slice(0, -1).join(zh ? "、" : ", "), last });
    },
    join,
    sentences: (parts) => join(parts, t("ui.space")),
  };
}

const CODE = /^[a-z0-9-]+$/;

/** A code that no catalogue has is newer than this app. */
function named(t: Translate, code: string): string | null {
  const key = `code.${code}`;
  const text = t(key);
  return text === key ? null : text;
}
