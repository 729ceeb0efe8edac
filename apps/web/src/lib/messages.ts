import type { AbstractIntlMessages } from "next-intl";

type Node = AbstractIntlMessages | string | undefined;

/** What components in the browser say on public pages: readers of a report pay for nothing else. */
const PATHS = [
  "ui",
  "code",
  "figure.block",
  "figure.reasonOf",
  "figure.time",
  "report.trials.noReason",
  "public.error",
];
/** English needs no pattern of what is said in English. */
const CHINESE = ["said"];

export function inTheBrowser(
  messages: AbstractIntlMessages,
  more: readonly string[] = [],
): AbstractIntlMessages {
  const chosen: AbstractIntlMessages = {};
  for (const path of [...PATHS, ...more, ...CHINESE.filter(() => isChinese(messages))]) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    let from: Node = messages;
    let to = chosen;
    for (const key of keys) {
      from = (from as AbstractIntlMessages)[key];
      to[key] ??= {};
      to = to[key] as AbstractIntlMessages;
    }
    const found: Node = (from as AbstractIntlMessages)[last];
    if (found !== undefined) to[last] = found;
  }
  return chosen;
}

const isChinese = ({ ui }: AbstractIntlMessages): boolean =>
  (ui as Record<string, string>).language === "English";
