import { bare, type Words } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import type { ReportSnapshot } from "@rigmark/results";
import { type Card, cardsOf } from "@rigmark/results/card";
import type { Language } from "@rigmark/results/language";

const FONT_PX = 11;
const CHAR_PX = 6.6;
const PAD_PX = 10;
const HEIGHT = 20;
/** A badge is a line in a README, not a place for a long name. */
const LABEL_CHARS = 40;

const cut = (text: string): string => {
  const chars = [...text.replace(/[\p{Cc}\p{Cs}]/gu, " ")];
  return chars.length > LABEL_CHARS ? `${chars.slice(0, LABEL_CHARS - 1).join("")}…` : chars.join("");
};
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
/** Chinese characters and their punctuation are as wide as they are high. */
const WIDE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]/;
const width = (text: string): number =>
  Math.round([...text].reduce((px, char) => px + (WIDE.test(char) ? FONT_PX : CHAR_PX), 2 * PAD_PX));

/** The long form of what is not ranked has no room here. */
const whyNobody = (w: Words, { ranks, noWinner }: Card): string => {
  if (!ranks) return w.t("report.badge.singleRequests");
  return noWinner === null ? w.t("report.badge.nothing") : bare(noWinner);
};

/**
 * What the badge says: the winner and its figure, or why there is none. An entry that was measured alone wins nothing.
 * Of several scenarios and runs it is the first one's that ranks, and says of how many: nobody wins over scenarios or runs.
 */
export function badgeText(
  snapshot: ReportSnapshot,
  w: Words = wordsIn("en"),
): { label: string; message: string } {
  const cards = cardsOf(snapshot, w).filter((c) => c.run === 0);
  const card = cards.find((c) => c.ranks) ?? cards[0];
  const alone = card?.rows.length === 1 ? card.rows.find((r) => r.compared) : undefined;
  const told = card?.rows.find((r) => r.entryKey === card.winnerKey) ?? alone;
  const many = snapshot.runs.length;
  const parts = [
    cards.length > 1 ? w.t("report.badge.ofScenarios", { n: cards.length }) : null,
    many > 1 ? w.t("report.badge.ofRuns", { n: many }) : null,
  ].filter(Boolean);
  const which = parts.length > 0 ? w.t("report.badge.which", { which: w.join(parts) }) : "";
  return told
    ? { label: cut(told.label), message: `${card?.named(told.value) ?? told.value}${which}` }
    : {
        label: "rigmark",
        message: `${cut(card ? whyNobody(w, card) : w.t("report.badge.nothing"))}${which}`,
      };
}

/** Two boxes of text. Made here, with nothing fetched from anywhere. */
export function renderBadge(snapshot: ReportSnapshot, language: Language = "en"): string {
  const { label, message } = badgeText(snapshot, wordsIn(language));
  const [left, right] = [width(label), width(message)];
  const [l, m] = [escapeXml(label), escapeXml(message)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${l}: ${m}">
<title>${l}: ${m}</title>
<clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="#3d4248"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="#0072b2"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="${FONT_PX}">
<text x="${left / 2}" y="14">${l}</text>
<text x="${left + right / 2}" y="14">${m}</text>
</g>
</svg>
`;
}
