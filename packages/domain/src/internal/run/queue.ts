import { run, sql, type Tx } from "@rigmark/db";
import type { Catalogue, HostTune, RunSpec, Scenario, Source } from "@rigmark/protocol";
import { claimsOf, plannedRange, type RunCreated } from "@rigmark/results";
import { uuidv7 } from "uuidv7";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { topics } from "../bus";
import { readCatalogue } from "../host/catalogue";
import { findHost } from "../host/summary";
import { requireRunRoom } from "../quota";
import { printable, storable, storableJson } from "../text";
import { checkSpec } from "./check-spec";
import { foundBy } from "./found-by";
import { setSource } from "./set-source";

/** What a run is called that nobody gave a title. */
export const titleOf = (spec: RunSpec): string =>
  (printable(spec.title) && spec.title.trim()) ||
  spec.entries
    .map((e) => e.label)
    .join(", ")
    .slice(0, 120)
    .replace(HALF_AT_END, "");
/** Of a character that counts as two. */
const HALF_AT_END = /[\ud800-\udbff]$/;

/** Nothing but the owner's own setting on the host allows it, and the agent looks again. */
function checkTuning(allowed: HostTune | null): void {
  if (!allowed) {
    throw new DomainError(
      "state",
      "The owner of this host does not allow tuning; queue the run without it, or ask them to start the agent with --allow-tune.",
    );
  }
  if (allowed.sets.length === 0) {
    throw new DomainError(
      "state",
      "The agent of this host lacks the rights to set anything; queue the run without tuning, or ask the host's owner to grant them.",
    );
  }
}

/** Refuses a run that the host cannot do, as far as it is known. Returns its scenarios, each under its one name. */
export async function checkRun(
  ctx: Ctx,
  workspaceId: string,
  hostId: string,
  spec: RunSpec,
): Promise<{ catalogue: Catalogue; scenarios: Scenario[] }> {
  const host = await findHost(ctx, workspaceId, hostId);
  if (host.kind === "published") {
    throw new DomainError(
      "state",
      "This host is known from published files only, so nothing can be queued on it; enroll its agent first.",
    );
  }
  if (host.revoked_at) throw new DomainError("state", "This host was removed; choose another one.");
  if (!host.catalogue_at) {
    throw new DomainError(
      "state",
      "The host has not yet reported what it can run; wait until its agent is online.",
    );
  }
  if (spec.tune) checkTuning(host.facts?.tune ?? null);
  const catalogue = await readCatalogue(ctx, workspaceId, hostId);
  return { catalogue, scenarios: checkSpec(spec, catalogue) };
}

/**
 * Puts a run in the queue of a host, once it is known that the host can do it. What `alongside` writes is written with the
 * run; where it throws there is no run.
 */
export async function queue(
  ctx: Ctx,
  workspaceId: string,
  hostId: string,
  spec: RunSpec,
  source: Source | null = null,
  alongside?: (tx: Tx, runId: string) => Promise<void>,
): Promise<RunCreated> {
  const { catalogue, scenarios } = await checkRun(ctx, workspaceId, hostId, spec);
  const runId = uuidv7();
  const titled = { ...spec, scenarios: scenarios.map((s) => s.id), title: storable(titleOf(spec)) };
  const names = foundBy(titled);
  const by = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  await ctx.db.tx(async (tx) => {
    await requireRunRoom(tx, ctx, workspaceId);
    await run(
      tx,
      sql`INSERT INTO run (workspace_id, run_id, title, spec, servers, scenarios, requested_by, created_at)
          VALUES (${workspaceId}, ${runId}, ${titled.title}, ${storableJson(titled)}, ${names.servers}, ${names.scenarios}, ${by},
            ${ctx.now()})`,
    );
    if (source) await setSource(tx, { workspaceId, runId }, source);
    await run(
      tx,
      sql`INSERT INTO run_host (workspace_id, run_id, host_id, role) VALUES (${workspaceId}, ${runId}, ${hostId}, 'both')`,
    );
    const baseline = spec.baseline ?? spec.entries[0]?.label ?? "";
    await run(
      tx,
      sql`INSERT INTO baseline (workspace_id, run_id, label) VALUES (${workspaceId}, ${runId}, ${storable(baseline)})`,
    );
    await alongside?.(tx, runId);
  });
  ctx.bus.hint(topics.host(hostId));
  return { run_id: runId, planned: plannedRange(spec, scenarios, claimsOf(catalogue.servers)) };
}
