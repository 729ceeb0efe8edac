import { formatQuantity } from "@rigmark/metrics";
import type { ReportRun, ReportSnapshot } from "@rigmark/results";
import { blocksInWords, endOf, stoppingInWords } from "@rigmark/results/blocks";
import { type Card, type CardRow, cardsOf } from "@rigmark/results/card";
import { compareEnvironments, runName, WITHIN_RUNS } from "@rigmark/results/comparable";
import { conformanceInWords } from "@rigmark/results/conformance";
import { COST_INSTEAD, costInstead } from "@rigmark/results/cost-scenario";
import { inLanguage, type Language } from "@rigmark/results/language";
import { calibrationOfReport, noiseInWords } from "@rigmark/results/noise-words";

/** Lines of result rows before the rest is left to the page: the whole stays within a screen. */
const ROWS = 6;

/** A forge turns @name, #1 and addresses into links; a space without width stops it. */
const unlinked = (text: string): string =>
  text.replace(/[@#]/g, "$&\u200b").replace(/(https?|ftp|mailto|xmpp|www)([:.])/gi, "$1\u200b$2");

/** Free text inside a table cell or a paragraph: it must stay text, whatever a code forge makes of Markdown and HTML. */
const escapeMarkdown = (text: string): string =>
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

interface Line {
  card: Card;
  row: CardRow;
}

/** As many lines as there is room for, in their order, from each run in turn: none is shown without the others. */
function fairly(lines: readonly Line[], room: number): Line[] {
  const taken = new Map<number, number>();
  const turn = lines.map((line, place) => {
    const nth = taken.get(line.card.run) ?? 0;
    taken.set(line.card.run, nth + 1);
    return { line, place, nth };
  });
  return turn
    .sort((a, b) => a.nth - b.nth || a.place - b.place)
    .slice(0, room)
    .sort((a, b) => a.place - b.place)
    .map(({ line }) => line);
}

function tableOf(cards: Card[], runs: number, url: string): string[] {
  const several = new Set(cards.map((card) => card.scenario)).size > 1;
  const ranked = cards.some((card) => card.rows.some((row) => row.rank !== null));
  const names = [
    ...(runs > 1 ? ["Run"] : []),
    ...(several ? ["Scenario"] : []),
    "Server",
    ...(ranked ? ["Rank"] : []),
  ];
  const head = [...names, "Result, median of trials", "Range", "Ratio to baseline", "CPU a request", "Note"];
  const lines = [
    `| ${head.join(" | ")} |`,
    `|${head.map((_, i) => (i >= names.length && i < head.length - 1 ? "--:" : ":--")).join("|")}|`,
  ];
  const all = cards.flatMap((card) => card.rows.map((row) => ({ card, row })));
  const shown = fairly(all, Math.max(ROWS, runs));
  const rows = shown.map(({ card, row }) => {
    const cells = [
      ...(runs > 1 ? [`${card.run + 1}`] : []),
      ...(several ? [escapeMarkdown(card.title)] : []),
      row.entryKey === card.winnerKey ? `**${escapeMarkdown(row.label)}**` : escapeMarkdown(row.label),
      ...(ranked ? [row.rank ?? ""] : []),
      `${row.value}${card.suffix}`,
      row.range,
      row.ratio,
      row.cpuPerRequest,
      escapeMarkdown(row.note),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const more = all.length - shown.length;
  const link = `[Report with every trial](${url})${more > 0 ? `, and ${more} more rows` : ""}`;
  return [...lines, ...rows, "", link];
}

/** The page has the whole of it. */
const atMost = (text: string, chars: number): string =>
  text.length > chars ? `${text.slice(0, chars).trimEnd()}…` : text;

function environmentOf(run: ReportRun): string[] {
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
    ["Noise", environment ? (noiseInWords(environment.facts.noise) ?? "not measured") : null],
    ["Calibration", environment ? calibrationOfReport(environment.facts.calibration) : null],
    ["Tools", environment?.tools.map((t) => `${t.name} ${t.version ?? "?"}`).join(", ")],
    ["Sandbox", environment ? (environment.sandboxed ? "network namespace of its own" : "none") : null],
    [
      "Blocks",
      [
        blocksInWords(run.spec, run.blocks),
        stoppingInWords(run.spec, endOf(run.trials, run.labels), run.blocks),
      ]
        .filter(Boolean)
        .join("; "),
    ],
    ["Conformance", atMost(conformanceOf(run), 600) || null],
    ["Labels", atMost(run.labels.map((l) => l.message).join(" "), 600) || null],
    ["Not whole", atMost(run.gaps.join(" "), 600) || null],
  ];
  return facts
    .filter((f): f is [string, string] => Boolean(f[1]))
    .map(([k, v]) => `${k}: ${escapeHtml(unlinked(v))}`)
    .concat(code(run.repeat_command));
}

/** Of those that have not all of it. */
function conformanceOf(run: ReportRun): string {
  const label = (key: string) => run.entries.find((e) => e.key === key)?.label ?? "?";
  const lacking = run.conformance.filter((c) => c.checks.some((check) => check.status === "failed"));
  return lacking.map((c) => `${label(c.entry_key)}, ${c.workload}, ${conformanceInWords(c)}`).join(" ");
}

/** Folded away, on one line: Markdown goes on behind it. */
function backgroundOf(runs: readonly ReportRun[]): string {
  const many = runs.length > 1;
  const items = runs.flatMap((run, place) => [
    ...(many ? [`<b>Run ${place + 1}</b>, ${escapeHtml(unlinked(run.title))}`] : []),
    ...environmentOf(run),
  ]);
  const title = many ? "Environments, and how to repeat them" : "Environment, and how to repeat it";
  return `<details><summary>${title}</summary><br>${items.join("<br>")}</details>`;
}

/** Whether each of the other runs is comparable with the first, and by what not. */
function comparisonsOf([first, ...others]: readonly ReportRun[]): string[] {
  if (!first) return [];
  return others.map((other, i) => {
    const a = { name: runName(0), environment: first.environment };
    const b = { name: runName(i + 1), environment: other.environment };
    const { sentence, differences } = compareEnvironments(a, b);
    const which = differences.map((d) => `${d.name} ${d.a} / ${d.b}`).join("; ");
    return escapeMarkdown(atMost(which ? `${sentence.replace(/\.$/, "")}: ${which}.` : sentence, 600));
  });
}

/** Each run's verdict in a line of its own, then how far the runs may be read beside each other. */
function openingOf({ title, runs }: ReportSnapshot): string {
  const verdicts = runs.map((run) => escapeMarkdown(run.summary?.sentence ?? "no result"));
  if (runs.length === 1) return `**${escapeMarkdown(title)}**: ${verdicts.join()}`;
  const lines = runs.map((run, i) => {
    const day = run.finished_at ? `, ${run.finished_at.slice(0, 10)}` : "";
    return `**Run ${i + 1}**, ${escapeMarkdown(run.title)} (${escapeMarkdown(run.host.name)}${day}): ${verdicts[i]}`;
  });
  return [`**${escapeMarkdown(title)}**`, ...lines, ...comparisonsOf(runs), escapeMarkdown(WITHIN_RUNS)].join(
    "<br>",
  );
}

/** Where the tool was the limit: how to compare all the same. One line for all runs. */
function insteadOf(runs: readonly ReportRun[]): string[] {
  const commands = runs.flatMap((run) => costInstead(run)?.command ?? []);
  return commands.length > 0 ? ["", [COST_INSTEAD, ...commands.map(code)].join(" ")] : [];
}

/** For a pull request: the verdict, a table, the link, and the environment folded away. At most 15 lines for up to seven runs. */
export function renderMarkdown(frozen: ReportSnapshot, url: string, language: Language = "en"): string {
  const runs = frozen.runs.map((r) => ({ ...r, summary: r.summary && inLanguage(r.summary, language) }));
  const snapshot = { ...frozen, runs };
  return `${[
    openingOf(snapshot),
    "",
    ...tableOf(cardsOf(snapshot), runs.length, url),
    ...insteadOf(runs),
    "",
    backgroundOf(runs),
  ].join("\n")}\n`;
}
