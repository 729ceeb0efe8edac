import type { Tx } from "@rigmark/db";
import type { JournalKind, JournalRecord, RecordOf } from "@rigmark/protocol";
import { SampleStore } from "../../../internal/sample/store";
import { projectBegin, projectEnvironment, projectResult } from "./attempt";
import { extendDeadline } from "./deadline";
import { projectConformance, projectLabels, projectLogs, projectPhases, projectVerifies } from "./event";
import { projectPlan } from "./plan";
import { requireTrials } from "./require-trials";
import { dropUnneeded, markTrials, projectHistograms, projectTrials } from "./trial";

/** Where a chunk's records go. */
export interface Target {
  workspaceId: string;
  attemptId: string;
  runId: string;
  attemptNo: number;
  chunkSeq: number;
  now: Date;
  graceS: number;
}

/**
 * Turns the records of one chunk into rows, in the transaction that stores the chunk. It depends on nothing but the
 * chunks before it, so that all rows can be made again from the stored chunks.
 */
export async function project(tx: Tx, to: Target, records: JournalRecord[]): Promise<void> {
  const of = <K extends JournalKind>(kind: K): RecordOf<K>[] =>
    records.filter((r): r is RecordOf<K> => r.kind === kind);
  for (const record of of("begin")) await projectBegin(tx, to, record);
  for (const record of of("environment")) await projectEnvironment(tx, to, record.data);
  for (const record of of("plan")) await projectPlan(tx, to, record.data);
  await requireTrials(tx, to, records);
  await projectPhases(tx, to, of("phase"));
  await extendDeadline(tx, to, of("phase"));
  await projectLogs(tx, to, of("log"));
  await projectVerifies(tx, to, of("verify"));
  await projectConformance(tx, to, of("conformance"));
  await projectLabels(tx, to, of("label"));
  await SampleStore.append(tx, to, to.chunkSeq, of("sample"));
  await markTrials(tx, to, of("phase"), of("sample"));
  await projectHistograms(tx, to, of("histogram"));
  await projectTrials(tx, to, of("trial"));
  await dropUnneeded(tx, to, of("label"));
  for (const record of of("result")) await projectResult(tx, to, record.data);
}
