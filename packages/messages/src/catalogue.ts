import { METRICS } from "@rigmark/metrics";
import { createTranslator } from "use-intl/core";
import code from "../en/code.json" with { type: "json" };
import docs from "../en/docs.json" with { type: "json" };
import field from "../en/field.json" with { type: "json" };
import figure from "../en/figure.json" with { type: "json" };
import mail from "../en/mail.json" with { type: "json" };
import phrase from "../en/phrase.json" with { type: "json" };
import publicPages from "../en/public.json" with { type: "json" };
import report from "../en/report.json" with { type: "json" };
import scenario from "../en/scenario.json" with { type: "json" };
import ui from "../en/ui.json" with { type: "json" };
import zhCode from "../zh-CN/code.json" with { type: "json" };
import zhDocs from "../zh-CN/docs.json" with { type: "json" };
import zhField from "../zh-CN/field.json" with { type: "json" };
import zhFigure from "../zh-CN/figure.json" with { type: "json" };
import zhMail from "../zh-CN/mail.json" with { type: "json" };
import zhMetric from "../zh-CN/metric.json" with { type: "json" };
import zhPhrase from "../zh-CN/phrase.json" with { type: "json" };
import zhPublic from "../zh-CN/public.json" with { type: "json" };
import zhReport from "../zh-CN/report.json" with { type: "json" };
import zhScenario from "../zh-CN/scenario.json" with { type: "json" };
import zhUi from "../zh-CN/ui.json" with { type: "json" };
import { type Language, LOCALES, type Words, wordsOf } from "./words";

/** English has its metrics from packages/metrics, where the documentation has them from. */
const metric = Object.fromEntries(
  Object.values(METRICS).map(({ id, title, meaning }) => [id, { title, meaning }]),
);

export const MESSAGES = {
  en: { code, docs, field, figure, mail, metric, phrase, public: publicPages, report, scenario, ui },
  zh: {
    code: zhCode,
    docs: zhDocs,
    field: zhField,
    figure: zhFigure,
    mail: zhMail,
    metric: zhMetric,
    phrase: zhPhrase,
    public: zhPublic,
    report: zhReport,
    scenario: zhScenario,
    ui: zhUi,
  },
} as const;

const PHRASES = { phrase, field, scenario };

/** What a page stands in: the messages of its language and, in Chinese, the English phrases that it recognizes. */
export const messagesOf = (language: Language) =>
  language === "zh" ? { ...MESSAGES.zh, phrases: PHRASES } : MESSAGES.en;

/** A code that no catalogue has is newer than this app: `wordsOf` sees its key come back, and shows what the agent said. */
export const fallback = ({ namespace, key }: { namespace?: string | undefined; key: string }): string =>
  namespace ? `${namespace}.${key}` : key;

const made = new Map<Language, Words>();

/** The words of a language where no page stands around them: Markdown, pictures, tests. */
export function wordsIn(language: Language): Words {
  const known = made.get(language);
  if (known) return known;
  const translate = createTranslator<Record<string, unknown>>({
    locale: LOCALES[language],
    messages: MESSAGES[language],
    getMessageFallback: fallback,
    onError: ignoreUnknownCodes,
  });
  const words = wordsOf((key, values) => translate(key as never, values as never), language, PHRASES);
  made.set(language, words);
  return words;
}

/** Everything else that is missing is a mistake of ours. */
export function ignoreUnknownCodes(error: Error): void {
  if (!/`code\./.test(error.message)) throw error;
}
