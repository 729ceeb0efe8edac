import type { z } from "zod";
import { Catalogue, HostFacts } from "./host";
import { JournalRecord, RawRecord } from "./journal/record";
import { RunSpec } from "./run-spec";
import { Scenario } from "./scenario";
import { Suite } from "./suite";
import * as attempt from "./wire/attempt";
import * as enroll from "./wire/enroll";
import { WireError } from "./wire/error";

/** Each message by the name of its schema and golden example. */
export const MESSAGES: Record<string, z.ZodType> = {
  "run-spec": RunSpec,
  scenario: Scenario,
  suite: Suite,
  "host-facts": HostFacts,
  catalogue: Catalogue,
  "enroll-request": enroll.EnrollRequest,
  "enroll-response": enroll.EnrollResponse,
  "enroll-step-request": enroll.EnrollStepRequest,
  "challenge-request": enroll.ChallengeRequest,
  "challenge-response": enroll.ChallengeResponse,
  "session-request": enroll.SessionRequest,
  "session-response": enroll.SessionResponse,
  "lease-request": attempt.LeaseRequest,
  "lease-response": attempt.LeaseResponse,
  "start-request": attempt.StartRequest,
  "start-response": attempt.StartResponse,
  "heartbeat-request": attempt.HeartbeatRequest,
  "heartbeat-response": attempt.HeartbeatResponse,
  "chunk-response": attempt.ChunkResponse,
  "finish-request": attempt.FinishRequest,
  "finish-response": attempt.FinishResponse,
  "wire-error": WireError,
  "journal-record": JournalRecord,
  "raw-record": RawRecord,
};
