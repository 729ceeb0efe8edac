import { figureOf } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import { ReportSlug } from "@rigmark/results";
import type { Language } from "@rigmark/results/language";
import { rankingOf } from "@rigmark/results/ranking";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { PRESENT } from "../internal/access";
import { type BadgeText, cut, drawBadge } from "../internal/badge-picture";
import { briefly } from "../internal/briefly";
import { drawable } from "../internal/text";
import type { BadgeOf } from "./internal/badge";
import { follow } from "./internal/follow";
import { readRows } from "./internal/read-rows";

/** A README that many read asks as often: the value is read again after so long. */
const FRESH_MS = 10_000;

/** The newest value of a history, for anybody who has the address of its badge. Unknown and deleted ones look the same. */
export async function renderBadge({
  ctx,
  input,
}: Call<{ slug: string; language: Language }>): Promise<string> {
  const badge = ReportSlug.safeParse(input.slug).success
    ? await ctx.db.prisma.badge.findFirst({
        where: { slug: { slug: input.slug }, host: { workspace: PRESENT } },
      })
    : null;
  if (!badge)
    throw new DomainError(
      "not_found",
      "This badge is gone: it was deleted, or its address is incomplete. Make a new one on the page of the history.",
    );
  const { host_id: hostId, scenario_id: scenario, label, relative_to } = badge;
  const of = { hostId, scenario, label, relativeTo: relative_to || null };
  const { language } = input;
  return briefly(ctx, `badge ${badge.badge_id} ${language}`, FRESH_MS, async () =>
    drawable(drawBadge(await textOf(ctx, badge.workspace_id, of, language))),
  );
}

async function textOf(ctx: Ctx, workspaceId: string, of: BadgeOf, language: Language): Promise<BadgeText> {
  const w = wordsIn(language);
  const label = `${cut(of.label)}, ${cut(of.scenario)}`;
  const rows = await readRows(ctx, workspaceId, of, of.relativeTo, 1);
  const [newest] = rows;
  const { unit, boundOf } = rankingOf(newest?.metric ?? "requests_per_s");
  // What the tool limited is no value of a history, and was measured all the same: the server can do at least so much.
  const bound = of.relativeTo === null ? boundOf(newest?.brief ?? undefined) : null;
  const value =
    bound !== null ? newest?.figure : newest && follow(newest.metric, of.relativeTo, rows).values[0];
  if (!newest || typeof value !== "number") return { label, message: w.t("report.badge.nothing") };
  const figure =
    of.relativeTo === null
      ? w.bound(value, unit, bound)
      : `${w.bound(value, "factor", null)} ${cut(of.relativeTo)}`;
  return { label, message: figureOf(w, newest.metric, figure) };
}
