import { bare, type Words } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import type { ReportSnapshot } from "@rigmark/results";
import { type Card, cardsOf } from "@rigmark/results/card";
import type { Language } from "@rigmark/results/language";
import { type BadgeText, cut, drawBadge } from "../../../internal/badge-picture";

/** The long form of what is not ranked has no room here. */
const whyNobody = (w: Words, { ranks, noWinner }: Card): string => {
  if (!ranks) return w.t("report.badge.singleRequests");
  return noWinner === null ? w.t("report.badge.nothing") : bare(noWinner);
};

/**
 * What the badge says: the winner and its figure, or why there is none. An entry that was measured alone wins nothing.
 * Of several scenarios and runs it is the first one's that ranks, and says of how many: nobody wins over scenarios or runs.
 */
export function badgeText(snapshot: ReportSnapshot, w: Words = wordsIn("en")): BadgeText {
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

export const renderReportBadge = (snapshot: ReportSnapshot, language: Language = "en"): string =>
  drawBadge(badgeText(snapshot, wordsIn(language)));
