import { run, sql } from "@rigmark/db";
import { uuidv7 } from "uuidv7";
import { isPrivate } from "../address";
import type { Ctx } from "../context";
import { DomainError } from "../error";
import { newReportSlug, sha256Hex } from "../secret";
import { storable, storableJson } from "../text";
import { makeSnapshot } from "./make-snapshot";
import type { ReportCreated } from "./view";

/** Anybody with the link may ask for all of it, again and again. A run of 1000 trials stays below. */
const SNAPSHOT_BYTES = 8 * 1024 ** 2;

export interface StoreInput {
  workspaceId: string;
  runId: string;
  title: string | null;
  showHostName: boolean;
}

/** Makes a report and stores its very text. */
export async function storeReport(ctx: Ctx, input: StoreInput): Promise<ReportCreated> {
  const slug = newReportSlug();
  const reportId = uuidv7();
  const snapshot = await makeSnapshot(ctx, { ...input, slug });
  const text = storableJson(snapshot);
  if (Buffer.byteLength(text) > SNAPSHOT_BYTES) {
    throw new DomainError(
      "too_large",
      `The report would be larger than ${SNAPSHOT_BYTES / 1024 ** 2} MiB; share a run with fewer trials.`,
    );
  }
  const [first] = snapshot.runs;
  const by = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  await ctx.db.tx(async (tx) => {
    await run(
      tx,
      sql`INSERT INTO report (workspace_id, report_id, run_id, title, host_name, headline, snapshot, sha256, created_by, created_at)
          VALUES (${input.workspaceId}, ${reportId}, ${input.runId}, ${storable(snapshot.title)}, ${storable(first?.host.name ?? "")},
            ${first?.summary?.sentence ?? null}, ${text}, ${sha256Hex(text)}, ${by}, ${ctx.now()})`,
    );
    await run(
      tx,
      sql`INSERT INTO report_slug (slug, workspace_id, report_id) VALUES (${slug}, ${input.workspaceId}, ${reportId})`,
    );
  });
  return {
    report_id: reportId,
    slug,
    url: `${ctx.config.publicUrl}/r/${slug}`,
    public_url_is_private: isPrivate(ctx.config.publicUrl),
  };
}
