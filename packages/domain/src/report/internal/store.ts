import type { ReportCreated, ReportDays, ReportSnapshot, ReportVisibility } from "@rigmark/results";
import { MOST_IN_REPORT } from "@rigmark/results/comparable";
import { uuidv7 } from "uuidv7";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { isPrivate } from "../../internal/address";
import { requireStoredRoom } from "../../internal/quota";
import { newReportSlug, sha256Hex } from "../../internal/secret";
import { storable, storableJson } from "../../internal/text";
import { expiryAfter } from "./expiry";
import { listingOf } from "./listing";
import { makeSnapshot } from "./make-snapshot";
import { standingsOf } from "./standings";

/** Anybody with the link may ask for all of it, again and again. A run of 1000 trials stays below; so do several of few trials. */
const SNAPSHOT_BYTES = 8 * 1024 ** 2;

export interface StoreInput {
  workspaceId: string;
  /** The first is the one that it is listed under. */
  runIds: readonly string[];
  title: string | null;
  showHostName: boolean;
  /** Name of the series that the others of each run are compared with; without it each run's own baseline. */
  baseline?: string | undefined;
  visibility?: ReportVisibility | undefined;
  expiresInDays?: ReportDays | undefined;
}

/** One to eight runs, each once. Ids are compared as the database does. */
function distinct(runIds: readonly string[]): [string, ...string[]] {
  const [first, ...others] = runIds.map((id) => id.toLowerCase());
  if (first === undefined || others.length >= MOST_IN_REPORT)
    throw new DomainError("invalid", `A report holds 1 to ${MOST_IN_REPORT} runs; choose that many.`);
  if (new Set([first, ...others]).size <= others.length)
    throw new DomainError("invalid", "The same run was given twice; list each run of the report once.");
  return [first, ...others];
}

/** The verdict of the run that it is listed under, for the list. */
function headlineOf({ runs }: ReportSnapshot): string | null {
  const sentence = runs[0]?.summary?.sentence ?? null;
  return sentence && runs.length > 1 ? `Run 1 of ${runs.length}: ${sentence}` : sentence;
}

/** Makes a report and stores its very text. */
export async function storeReport(ctx: Ctx, input: StoreInput): Promise<ReportCreated> {
  const runIds = distinct(input.runIds);
  await requireStoredRoom(ctx.db, ctx, input.workspaceId);
  const slug = newReportSlug();
  const reportId = uuidv7();
  const snapshot = await makeSnapshot(ctx, { ...input, baseline: input.baseline ?? null, runIds, slug });
  const text = storableJson(snapshot);
  if (Buffer.byteLength(text) > SNAPSHOT_BYTES) {
    throw new DomainError(
      "too_large",
      `The report would be larger than ${SNAPSHOT_BYTES / 1024 ** 2} MiB; share ${runIds.length > 1 ? "fewer runs at once" : "a run with fewer trials"}.`,
    );
  }
  const hosts = [...new Set(snapshot.runs.map((r) => r.host.name))].join(", ");
  const by = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  await ctx.db.prisma.report.create({
    data: {
      workspace_id: input.workspaceId,
      report_id: reportId,
      run_id: runIds[0],
      run_ids: runIds,
      title: storable(snapshot.title),
      host_name: storable(hosts),
      headline: headlineOf(snapshot),
      snapshot: text,
      sha256: sha256Hex(text),
      created_by: by,
      by_launcher: ctx.actor.kind === "system",
      created_at: ctx.now(),
      visibility: input.visibility ?? "link",
      expires_at: expiryAfter(ctx, input.expiresInDays ?? null),
      slug: { create: { slug } },
      ...(input.visibility === "public" && {
        listing: { create: listingOf(snapshot) },
        standings: { createMany: { data: standingsOf(snapshot) } },
      }),
    },
  });
  return {
    report_id: reportId,
    slug,
    url: `${ctx.config.publicUrl}/r/${slug}`,
    public_url_is_private: isPrivate(ctx.config.publicUrl),
  };
}
