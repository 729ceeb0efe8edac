import { formatQuantity } from "@rigmark/metrics";
import { calibrationInWords } from "../../host/noise-words";
import { blocksInWords, blocksMeasured, stoppingInWords } from "../../run/blocks";
import { differences } from "../../run/differences";
import { inLanguage, type Language } from "../../run/language";
import type { ReportRun, ReportSnapshot } from "../snapshot";
import { type Card, cardsOf } from "./card";

/** Lines of result rows before the rest is left to the page: the whole stays within a screen. */
const ROWS = 6;

/** A forge turns @name, #1 and addresses into links; a space without width stops it. */
const unlinked = (text: string): string =>
  text.replace(/[@#]/g, "$&\u200b").replace(/(https?|ftp|mailto|xmpp|www)([:.])/gi, "$1\u200b$2");

/** Free text inside a table cell or a paragraph: it must stay text, whatever a code forge makes of Markdown and HTML. */
export const escapeMarkdown = (text: string): string =>
  unlinked(text)
    .replace(/\s+/g, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_[\]|~]/g, "\\$&")
    .trim();

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'|]/g, (c) => `&#${c.charCodeAt(0)};`).replace(/\s+/g, " ");

function tableOf(cards: Card[], url: string): string[] {
  const many = cards.length > 1;
  const head = [
    ...(many ? ["Scenario"] : []),
    "Server",
    "Result, median of trials",
    "Range",
    "Ratio to baseline",
    "CPU a request",
    "Note",
  ];
  const lines = [
    `| ${head.join(" | ")} |`,
    `|${head.map((_, i) => (i > (many ? 1 : 0) && i < head.length - 1 ? "--:" : ":--")).join("|")}|`,
  ];
  const rows = cards.flatMap((card) =>
    card.rows.map((row) => {
      const name = `${row.rank === null ? "" : `${row.rank}. `}${row.label}`;
      const label = row.entryKey === card.winnerKey ? `**${escapeMarkdown(name)}**` : escapeMarkdown(name);
      const cells = [
        label,
        `${row.value}${card.suffix}`,
        row.range,
        row.ratio,
        row.cpuPerRequest,
        escapeMarkdown(row.note),
      ];
      return `| ${[...(many ? [escapeMarkdown(card.title)] : []), ...cells].join(" | ")} |`;
    }),
  );
  const more = rows.length - ROWS;
  const link = `[Report with every trial](${url})${more > 0 ? `, and ${more} more rows` : ""}`;
  return [...lines, ...rows.slice(0, ROWS), "", link];
}

/** The page has the whole of it. */
const atMost = (text: string, chars: number): string =>
  text.length > chars ? `${text.slice(0, chars).trimEnd()}…` : text;

function environmentOf(run: ReportRun): string {
  const { host, environment } = run;
  const facts: [string, string | null | undefined][] = [
    ["Host", host.name],
    [
      "CPU",
      [host.cpu_model, host.cpus_online === null ? null : `${host.cpus_online} CPUs`]
        .filter(Boolean)
        .join(", "),
    ],
    ["Memory", host.memory_bytes === null ? null : formatQuantity(host.memory_bytes, "bytes")],
    ["System", [host.os_name, host.kernel, host.arch].filter(Boolean).join(", ")],
    ["Environment", environment?.fingerprint?.slice(0, 12)],
    ["Governor", environment?.facts.governor],
    ["Calibration", calibrationInWords(environment?.facts.calibration ?? null)],
    ["Tools", environment?.tools.map((t) => `${t.name} ${t.version ?? "?"}`).join(", ")],
    ["Sandbox", environment ? (environment.sandboxed ? "network namespace of its own" : "none") : null],
    [
      "Blocks",
      [blocksInWords(run.spec, run.blocks), stoppingInWords(run.spec, blocksMeasured(run.trials), run.blocks)]
        .filter(Boolean)
        .join("; "),
    ],
    ["Labels", atMost(run.labels.map((l) => l.message).join(" "), 600) || null],
    ["Not whole", atMost(run.gaps.join(" "), 600) || null],
  ];
  const items = facts
    .filter((f): f is [string, string] => Boolean(f[1]))
    .map(([k, v]) => `${k}: ${escapeHtml(unlinked(v))}`);
  return `<details><summary>Environment, and how to repeat it</summary><br>${items.join("<br>")}<br>${code(run.repeat_command)}</details>`;
}

/** Runs that were measured in unlike environments are not comparable; the line says by what. */
function unlike({ runs: [first, ...others] }: ReportSnapshot): string[] {
  return others.flatMap((other) => {
    if (!first?.environment || !other.environment) return [];
    const found = differences(first.environment, other.environment).map((d) => `${d.name} ${d.a} / ${d.b}`);
    if (found.length === 0) return [];
    const text = atMost(`${first.title} and ${other.title} are not comparable: ${found.join("; ")}.`, 600);
    return [escapeMarkdown(text), ""];
  });
}

/** For a pull request: the verdict, a table, the link, and the environment folded away. At most 15 lines. */
export function renderMarkdown(frozen: ReportSnapshot, url: string, language: Language = "en"): string {
  const runs = frozen.runs.map((r) => ({ ...r, summary: r.summary && inLanguage(r.summary, language) }));
  const snapshot = { ...frozen, runs };
  const cards = cardsOf(snapshot);
  const sentence = snapshot.runs
    .map((r) => r.summary?.sentence ?? "")
    .join(" ")
    .trim();
  return `${[
    `**${escapeMarkdown(snapshot.title)}**: ${escapeMarkdown(sentence)}`,
    "",
    ...tableOf(cards, url),
    "",
    ...unlike(snapshot),
    ...snapshot.runs.map(environmentOf),
  ].join("\n")}\n`;
}
