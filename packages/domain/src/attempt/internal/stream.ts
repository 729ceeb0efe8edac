import { createHash } from "node:crypto";
import { all, one, type Queryable, run, sql, type Tx } from "@rigmark/db";
import type { StreamName } from "@rigmark/protocol";
import { DomainError } from "../../error";
import type { AttemptKey } from "../../internal/sample/store";

export interface StreamRow {
  name: StreamName;
  next_seq: number;
  next_record_seq: number;
  records: number;
  bytes: number;
  digest: string;
}

const EMPTY_DIGEST = createHash("sha256").digest("hex");

/** d(n+1) = sha256(d(n) bytes ‖ sha256(chunk n) bytes). */
export const rollDigest = (digest: string, chunkSha256: string): string =>
  createHash("sha256")
    .update(Buffer.from(digest, "hex"))
    .update(Buffer.from(chunkSha256, "hex"))
    .digest("hex");

export const openStreams = (tx: Tx, key: AttemptKey) =>
  run(
    tx,
    sql`INSERT INTO stream (workspace_id, attempt_id, name, digest)
        SELECT ${key.workspaceId}::uuid, ${key.attemptId}::uuid, name, ${EMPTY_DIGEST} FROM unnest(ARRAY['journal', 'raw']) name`,
  );

export const noStream = (): DomainError => new DomainError("not_found", "This attempt has no such stream.");

/** Locks the stream: chunks of one stream are taken one after the other. */
export const lockStream = (tx: Tx, key: AttemptKey, name: StreamName): Promise<StreamRow | null> =>
  one<StreamRow>(
    tx,
    sql`SELECT name, next_seq, next_record_seq, records, bytes, digest FROM stream
        WHERE workspace_id = ${key.workspaceId} AND attempt_id = ${key.attemptId} AND name = ${name} FOR UPDATE`,
  );

export async function nextSeqs(tx: Queryable, key: AttemptKey): Promise<{ journal: number; raw: number }> {
  const rows = await all<Pick<StreamRow, "name" | "next_seq">>(
    tx,
    sql`SELECT name, next_seq FROM stream WHERE workspace_id = ${key.workspaceId} AND attempt_id = ${key.attemptId}`,
  );
  const of = (name: StreamName) => rows.find((r) => r.name === name)?.next_seq ?? 0;
  return { journal: of("journal"), raw: of("raw") };
}
