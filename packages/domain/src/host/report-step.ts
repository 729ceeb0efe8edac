import { one, run, sql } from "@rigmark/db";
import { EnrollKey, type EnrollStepRequest } from "@rigmark/protocol";
import type { z } from "zod";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { topics } from "../internal/bus";
import { hashSecret } from "../internal/secret";
import { atMost, printable, storable } from "../internal/text";

/** An installation has at most seven; somebody tries again, and nobody so often. */
const MOST_REPORTS = 200;
const MOST_CHARS = 300;

/**
 * Takes what the install script says of a step. The key stays good for the enrollment alone; once it was used, only the host that
 * it made may still report, until its hour is over. Whoever may not is told one thing, whatever the reason.
 */
export async function reportStep({
  ctx,
  input,
}: Call<{ key: string | null } & z.infer<typeof EnrollStepRequest>>): Promise<void> {
  const enrollmentId = EnrollKey.safeParse(input.key).success ? await store(ctx, input) : null;
  if (enrollmentId === null) {
    throw new DomainError(
      "unauthenticated",
      "This enrollment key cannot report steps; make a new one on the page “Add a host”.",
    );
  }
  ctx.bus.hint(topics.enrollment(enrollmentId));
}

/** The enrollment whose step it is; null when the key may not report. */
const store = (
  ctx: Ctx,
  { key, step, state, text, host_id }: { key: string | null } & z.infer<typeof EnrollStepRequest>,
): Promise<string | null> =>
  ctx.db.tx(async (tx) => {
    const now = ctx.now();
    const found = await one<{ workspace_id: string; enrollment_id: string; used_at: Date | null }>(
      tx,
      sql`UPDATE enrollment_key k SET step_reports = k.step_reports + 1
          FROM enrollment_lookup l
          WHERE l.key_hash = ${hashSecret(key ?? "")}
            AND k.workspace_id = l.workspace_id AND k.enrollment_id = l.enrollment_id
            AND k.expires_at > ${now} AND k.step_reports < ${MOST_REPORTS}
            AND (k.used_at IS NULL OR EXISTS (
              SELECT FROM host h WHERE h.workspace_id = k.workspace_id AND h.host_id = k.host_id
                AND h.host_id = ${host_id ?? null}::uuid AND h.revoked_at IS NULL))
          RETURNING k.workspace_id, k.enrollment_id, k.used_at`,
    );
    if (!found) return null;
    const of = sql`workspace_id = ${found.workspace_id} AND enrollment_id = ${found.enrollment_id}`;
    if (step === "started" && !found.used_at) await run(tx, sql`DELETE FROM enrollment_step WHERE ${of}`);
    const kept = atMost(printable(storable(text)), MOST_CHARS);
    await run(
      tx,
      sql`INSERT INTO enrollment_step (workspace_id, enrollment_id, step, state, text, reported_at)
          VALUES (${found.workspace_id}, ${found.enrollment_id}, ${step}, ${state}, ${kept}, ${now})
          ON CONFLICT (workspace_id, enrollment_id, step)
          DO UPDATE SET state = excluded.state, text = excluded.text, reported_at = excluded.reported_at`,
    );
    return found.enrollment_id;
  });
