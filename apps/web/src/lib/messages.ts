import type { AbstractIntlMessages } from "next-intl";
import { compiled } from "@/i18n/format";

type Node = AbstractIntlMessages | string | undefined;

/** What components in the browser say on public pages: readers of a report pay for nothing else. */
const PATHS = ["ui", "figure.block", "figure.heat", "figure.reasonOf", "figure.time", "public.error"];

/** What components of a workspace say beside that: they show runs while these are measured. */
const IN_WORKSPACE = ["code", "figure", "metric", "report"];

export const inWorkspace = (messages: AbstractIntlMessages): AbstractIntlMessages =>
  inTheBrowser(messages, IN_WORKSPACE);

/** Messages for the browser: of public pages, and what else a page names. */
export function inTheBrowser(
  messages: AbstractIntlMessages,
  more: readonly string[] = [],
): AbstractIntlMessages {
  const chosen: AbstractIntlMessages = {};
  for (const path of [...PATHS, ...more]) {
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
  return compiledMessages(chosen);
}

/** The browser has no parser of messages. */
const compiledMessages = (messages: AbstractIntlMessages): AbstractIntlMessages =>
  Object.fromEntries(
    Object.entries(messages).map(([key, node]) => [
      key,
      // Types of next-intl know text only.
      typeof node === "string" ? (compiled(node) as unknown as string) : compiledMessages(node),
    ]),
  );
