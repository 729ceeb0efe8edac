import type { AlertFinding, AlertMessage } from "@rigmark/results";
import { uuidv7 } from "uuidv7";
import type { Ctx } from "../../context";
import { iso } from "../../internal/moment";
import { atMost, printable } from "../../internal/text";

/** Findings of one message; what else there is stands on the run's page. */
const MOST_FINDINGS = 50;
const TEXT_CHARS = 500;

export const lineOf = (text: string, chars = TEXT_CHARS): string =>
  atMost(printable(text).replace(/\s+/g, " "), chars);

/** What is told of a run. */
export function messageOf(
  ctx: Ctx,
  workspace: string,
  run: NonNullable<AlertMessage["run"]>,
  findings: readonly AlertFinding[],
): AlertMessage {
  const [first] = findings;
  const others = findings.length - 1;
  const rest = others > 0 ? ` And ${others} more.` : "";
  const text = first
    ? `${run.host}, ${first.scenario_title}: ${first.sentence}`
    : `${run.host}: ${run.title}`;
  return {
    type: "alert",
    ...{ id: uuidv7(), created_at: iso(ctx.now()), workspace, run },
    text: `${lineOf(text)}${rest}`,
    findings: findings.slice(0, MOST_FINDINGS),
    more: Math.max(0, findings.length - MOST_FINDINGS),
  };
}

export const testMessage = (ctx: Ctx, workspace: string): AlertMessage => ({
  type: "test",
  ...{ id: uuidv7(), created_at: iso(ctx.now()), workspace, run: null },
  text: "This is a test of alerts. Nothing is slower.",
  findings: [],
  more: 0,
});
