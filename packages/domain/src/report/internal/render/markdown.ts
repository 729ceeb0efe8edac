import {
  bare,
  blocksOf,
  calibrationOf,
  comparedOf,
  conformanceOf,
  noiseOf,
  runOf,
  stoppingOf,
  type Words,
} from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import type { ReportRun, ReportSnapshot } from "@rigmark/results";
import { scenarioAnchor } from "@rigmark/results/anchor";
import { blockRange, endOf, precisionInWords } from "@rigmark/results/blocks";
import { type Card, type CardRow, cardsOf } from "@rigmark/results/card";
import { compareEnvironments } from "@rigmark/results/comparable";
import { costInstead } from "@rigmark/results/cost-scenario";
import type { Language } from "@rigmark/results/language";
import { neededOf } from "@rigmark/results/needed";
import { percent } from "@rigmark/results/noise-words";
import { runInLanguage } from "@rigmark/results/run-in-language";
import { commitLink, pullLink, sourceName } from "@rigmark/results/source";

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

const haveSeveral = (cards: readonly Card[]): boolean => new Set(cards.map((card) => card.scenario)).size > 1;

/** A scenario's title as a link to its results in the report at `url`. */
const titleOf = ({ title, scenario, run }: Card, url: string): string =>
  `[${escapeMarkdown(title)}](${url}#${scenarioAnchor(scenario, run + 1)})`;

/** What was loaded, where no column says it: in the title are tool and connections. */
function loadOf(w: Words, cards: readonly Card[], url: string): string[] {
  const [first] = cards;
  if (!first || haveSeveral(cards)) return [];
  return [`${w.t("figure.scenario")}${w.t("ui.colon")}${titleOf(first, url)}`];
}

/** The entry in bold where it won, and a word where the others are compared with it. */
function entryOf(w: Words, { card, row }: Line): string {
  const label = escapeMarkdown(row.label);
  const name = row.entryKey === card.winnerKey ? `**${label}**` : label;
  return w.join([name, row.baseline && w.t("figure.baseline")]);
}

function tableOf(w: Words, cards: Card[], runs: number, url: string): string[] {
  const several = haveSeveral(cards);
  const ranked = cards.some((card) => card.rows.some((row) => row.rank !== null));
  const names = [
    ...(runs > 1 ? [w.t("report.markdown.run")] : []),
    ...(several ? [w.t("figure.scenario")] : []),
    w.t("report.markdown.server"),
    ...(ranked ? [w.t("figure.rank")] : []),
  ];
  const head = [
    ...names,
    ...["result", "range", "ratio", "cpu", "note"].map((head) => w.t(`report.markdown.${head}`)),
  ];
  const lines = [
    `| ${head.join(" | ")} |`,
    `|${head.map((_, i) => (i >= names.length && i < head.length - 1 ? "--:" : ":--")).join("|")}|`,
  ];
  const all = cards.flatMap((card) => card.rows.map((row) => ({ card, row })));
  const shown = fairly(all, Math.max(ROWS, runs));
  const rows = shown.map(({ card, row }) => {
    const cells = [
      ...(runs > 1 ? [`${card.run + 1}`] : []),
      ...(several ? [titleOf(card, url)] : []),
      entryOf(w, { card, row }),
      ...(ranked ? [row.rank ?? ""] : []),
      card.named(row.value),
      row.range,
      row.ratio,
      row.cpuPerRequest,
      escapeMarkdown(row.note),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const more = all.length - shown.length;
  const link = `[${w.t("report.markdown.every")}](${url})`;
  return [...lines, ...rows, "", more > 0 ? w.t("report.markdown.moreRows", { link, n: more }) : link];
}

/** The page has the whole of it. */
const atMost = (text: string, chars: number): string =>
  text.length > chars ? `${text.slice(0, chars).trimEnd()}…` : text;

function environmentOf(w: Words, run: ReportRun): string[] {
  const { host, environment } = run;
  const t = (key: string) => w.t(`report.environment.${key}`);
  const range = blockRange(run.spec, run.blocks);
  const precision = run.spec.precision == null ? null : precisionInWords(run.spec.precision);
  const needed = neededOf(w, run);
  const facts: [string, string | null | undefined][] = [
    [w.t("report.markdown.host"), host.name],
    [
      t("cpu"),
      [
        host.cpu_model,
        host.cpus_online === null ? null : w.t("report.markdown.cpus", { n: host.cpus_online }),
      ]
        .filter(Boolean)
        .join(w.t("ui.comma")),
    ],
    [t("memory"), host.memory_bytes === null ? null : w.quantity(host.memory_bytes, "bytes")],
    [t("system"), [host.os_name, host.kernel, host.arch].filter(Boolean).join(", ")],
    [w.t("report.markdown.environment"), environment?.fingerprint?.slice(0, 12)],
    [t("governor"), environment?.facts.governor],
    [t("noise"), environment ? (noiseOf(w, environment.facts.noise) ?? t("notMeasured")) : null],
    [t("calibration"), environment ? calibrationOf(w, environment.facts.calibration, percent) : null],
    [t("tools"), environment?.tools.map((t) => `${t.name} ${t.version ?? "?"}`).join(", ")],
    [
      t("sandbox"),
      environment ? (environment.sandboxed ? w.t("report.markdown.sandboxed") : t("none")) : null,
    ],
    [
      w.t("report.method.blocks"),
      [blocksOf(w, range), stoppingOf(w, range, precision, endOf(run.trials, run.labels))]
        .filter(Boolean)
        .join(w.t("ui.semicolon")),
    ],
    [w.t("report.verify.conformance"), atMost(lacking(w, run), 600) || null],
    [w.t("report.markdown.labels"), atMost(run.labels.map((l) => w.coded(l)).join(" "), 600) || null],
    [
      w.t("report.markdown.published"),
      run.published_by && w.t("report.published", { name: run.published_by }),
    ],
    [w.t("report.markdown.notWhole"), atMost(run.gaps.map((gap) => w.phrase(gap)).join(" "), 600) || null],
  ];
  const lines = facts
    .filter((f): f is [string, string] => Boolean(f[1]))
    .map(([k, v]) => `${k}${w.t("ui.colon")}${escapeHtml(unlinked(v))}`);
  return (run.source ? [sourceOf(w, run.source)] : [])
    .concat(lines)
    .concat(code(run.repeat_command))
    .concat(needed === null ? [] : escapeHtml(unlinked(atMost(needed, 600))));
}

/** In HTML, because no Markdown is read where it stands. */
function sourceOf(w: Words, source: NonNullable<ReportRun["source"]>): string {
  const { branch, pull_request: pull, dirty } = source;
  const linkedTo = (link: string | null, text: string): string => {
    const shown = escapeHtml(unlinked(text));
    return link === null ? shown : `<a href="${escapeHtml(link)}">${shown}</a>`;
  };
  const words = w.join([
    linkedTo(commitLink(source), sourceName(source)),
    branch === null ? null : linkedTo(null, branch),
    pull === null ? null : linkedTo(pullLink(source), w.t("report.source.pullRequest", { n: String(pull) })),
    dirty ? w.t("report.source.dirty") : null,
  ]);
  return `${w.t("report.source.title")}${w.t("ui.colon")}${words}`;
}

/** Of those that have not all of it. */
function lacking(w: Words, run: ReportRun): string {
  const label = (key: string) => run.entries.find((e) => e.key === key)?.label ?? "?";
  const found = run.conformance.filter((c) => c.checks.some((check) => check.status === "failed"));
  return found.map((c) => w.join([label(c.entry_key), c.workload, conformanceOf(w, c)])).join(" ");
}

/** Folded away, on one line: Markdown goes on behind it. */
function backgroundOf(w: Words, runs: readonly ReportRun[]): string {
  const many = runs.length > 1;
  const items = runs.flatMap((run, place) => [
    ...(many ? [`<b>${runOf(w, place)}</b>${w.t("ui.comma")}${escapeHtml(unlinked(run.title))}`] : []),
    ...environmentOf(w, run),
  ]);
  const title = w.t(many ? "report.markdown.foldedMany" : "report.markdown.folded");
  return `<details><summary>${title}</summary><br>${items.join("<br>")}</details>`;
}

/** Whether each of the other runs is comparable with the first, and by what not. */
function comparisonsOf(w: Words, [first, ...others]: readonly ReportRun[]): string[] {
  if (!first) return [];
  return others.map((other, i) => {
    const differences = compareEnvironments(first.environment, other.environment);
    const sentence = comparedOf(
      w,
      { place: 0, known: first.environment !== null },
      { place: i + 1, known: other.environment !== null },
      differences.length,
    );
    const which = differences
      .map((d) => `${w.field(d.name)} ${w.field(d.a)} / ${w.field(d.b)}`)
      .join(w.t("ui.semicolon"));
    const end = w.t("report.verify.end");
    return escapeMarkdown(
      atMost(which ? `${sentence.replace(/[.。]$/, "")}${w.t("ui.colon")}${which}${end}` : sentence, 600),
    );
  });
}

/** The verdict, and below it what is missing of the run. */
function verdictIn(w: Words, { summary, gaps: [gap] }: ReportRun): string {
  const verdict = escapeMarkdown(summary?.sentence ?? w.t("report.markdown.noResult"));
  if (gap === undefined) return verdict;
  const missing = escapeMarkdown(atMost(w.phrase(gap), 600));
  return `${verdict}<br>**${w.t("report.markdown.notWhole")}**${w.t("ui.colon")}${missing}`;
}

/** Each run's verdict in a line of its own, then how far the runs may be read beside each other. */
function openingOf(w: Words, { title, runs }: ReportSnapshot): string {
  const verdicts = runs.map((run) => verdictIn(w, run));
  if (runs.length === 1) return `**${escapeMarkdown(title)}**${w.t("ui.colon")}${verdicts.join()}`;
  const lines = runs.map((run, i) => {
    const where = w.join([escapeMarkdown(run.host.name), run.finished_at?.slice(0, 10)]);
    return `**${runOf(w, i)}**${w.t("ui.comma")}${escapeMarkdown(run.title)} (${where})${w.t("ui.colon")}${verdicts[i]}`;
  });
  return [
    `**${escapeMarkdown(title)}**`,
    ...lines,
    ...comparisonsOf(w, runs),
    escapeMarkdown(w.t("report.runs.within")),
  ].join("<br>");
}

/** Where the tool was the bottleneck: how to compare all the same. One line for all runs. */
function insteadOf(w: Words, runs: readonly ReportRun[]): string[] {
  const commands = runs.flatMap((run) => costInstead(run)?.command ?? []);
  return commands.length > 0 ? ["", [w.t("report.cost.instead"), ...commands.map(code)].join(" ")] : [];
}

/** For a pull request: the verdict, what was loaded, a table, the link, and the environment folded away. At most 15 lines for up to seven runs. */
export function renderMarkdown(frozen: ReportSnapshot, url: string, language: Language = "en"): string {
  const w = wordsIn(language);
  const runs = frozen.runs.map((run) => runInLanguage(w, run));
  const snapshot = { ...frozen, runs };
  const cards = cardsOf(snapshot, w);
  const page = `${url}${language === "zh" ? "?lang=zh" : ""}`;
  const lines = [
    [openingOf(w, snapshot), ...loadOf(w, cards, page)].join("<br>"),
    "",
    ...tableOf(w, cards, runs.length, page),
    ...insteadOf(w, runs),
    "",
    backgroundOf(w, runs),
  ];
  return bare(`${lines.join("\n")}\n`);
}
