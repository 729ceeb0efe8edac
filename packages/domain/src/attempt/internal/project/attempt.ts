import { run, sql, type Tx } from "@rigmark/db";
import type { RecordOf } from "@rigmark/protocol";
import { DomainError } from "../../../error";
import { storable, storableJson } from "../../../internal/text";
import type { Target } from "./index";

const ofAttempt = (to: Target) => sql`workspace_id = ${to.workspaceId} AND attempt_id = ${to.attemptId}`;

export async function projectBegin(tx: Tx, to: Target, record: RecordOf<"begin">): Promise<void> {
  const { data } = record;
  if (data.run_id !== to.runId || data.attempt_id !== to.attemptId || data.attempt_no !== to.attemptNo) {
    throw new DomainError(
      "invalid",
      "The journal belongs to another run or attempt; it was sent to the wrong place.",
    );
  }
  await run(
    tx,
    sql`UPDATE attempt SET begin_us = ${record.t_us}, wall_us = ${data.wall_us}, boot_id = ${storable(data.boot_id)},
          agent_version = ${storable(data.agent_version)} WHERE ${ofAttempt(to)}`,
  );
}

export const projectEnvironment = (tx: Tx, to: Target, data: RecordOf<"environment">["data"]) =>
  run(tx, sql`UPDATE attempt SET environment = ${storableJson(data)}::jsonb WHERE ${ofAttempt(to)}`);

export const projectResult = (tx: Tx, to: Target, data: RecordOf<"result">["data"]) =>
  run(tx, sql`UPDATE attempt SET result = ${storableJson(data)}::jsonb WHERE ${ofAttempt(to)}`);
