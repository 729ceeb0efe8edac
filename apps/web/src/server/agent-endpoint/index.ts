import {
  authenticateHost,
  type Ctx,
  challengeHost,
  type Domain,
  DomainError,
  enrollHost,
  finishAttempt,
  leaseAttempt,
  openSession,
  putCatalogue,
  putFacts,
  recordHeartbeat,
  reportStep,
  startAttempt,
} from "@rigmark/domain";
import {
  Catalogue,
  ChallengeRequest,
  EnrollRequest,
  EnrollStepRequest,
  FinishRequest,
  HeartbeatRequest,
  HostFacts,
  Id,
  LeaseRequest,
  SessionRequest,
  StartRequest,
} from "@rigmark/protocol";
import { errorResponse, json } from "../response";
import { receiveChunk } from "./chunk";
import { readMessage } from "./read-message";

const LARGE = 2 * 1024 * 1024;
const SMALL = 16 * 1024;

type Handle = (ctx: Ctx, request: Request) => Promise<object>;
type HandleAttempt = (
  ctx: Ctx,
  request: Request,
  at: { attemptId: string; rest: string[] },
) => Promise<object>;

/** What may be asked without a session: by an agent before it has one, and by the install script. */
export const OPEN: Record<string, Handle> = {
  "POST enroll": async (ctx, request) =>
    enrollHost({ ctx, input: await readMessage(request, EnrollRequest) }),
  "POST enroll/steps": async (ctx, request) => {
    const said = await readMessage(request, EnrollStepRequest, SMALL);
    await reportStep({ ctx, input: { ...said, key: bearer(request) } });
    return {};
  },
  "POST session/challenge": async (ctx, request) =>
    challengeHost({ ctx, input: await readMessage(request, ChallengeRequest) }),
  "POST session": async (ctx, request) =>
    openSession({ ctx, input: await readMessage(request, SessionRequest) }),
};

/** What an agent asks for its host. */
export const OF_HOST: Record<string, Handle> = {
  "PUT host/facts": async (ctx, request) => {
    await putFacts({ ctx, input: await readMessage(request, HostFacts, LARGE) });
    return {};
  },
  "PUT host/catalogue": async (ctx, request) => {
    await putCatalogue({ ctx, input: await readMessage(request, Catalogue, LARGE) });
    return {};
  },
  "POST lease": async (ctx, request) =>
    leaseAttempt({ ctx, input: await readMessage(request, LeaseRequest) }),
};

const CHUNK = "PUT streams/*/chunks/*";

/** What it says of an attempt, under `attempts/<id>/`. */
export const OF_ATTEMPT: Record<string, HandleAttempt> = {
  "POST start": async (ctx, request, { attemptId }) => {
    const { attempt_no: attemptNo } = await readMessage(request, StartRequest);
    return startAttempt({ ctx, input: { attemptId, attemptNo } });
  },
  "POST heartbeat": async (ctx, request, { attemptId }) => {
    const { attempt_no: attemptNo, ...said } = await readMessage(request, HeartbeatRequest);
    return recordHeartbeat({ ctx, input: { attemptId, attemptNo, ...said } });
  },
  [CHUNK]: async (ctx, request, { attemptId, rest: [, stream = "", , seq = ""] }) =>
    receiveChunk(ctx, request, attemptId, stream, seq),
  "POST finish": async (ctx, request, { attemptId }) => {
    const { attempt_no: attemptNo, ...said } = await readMessage(request, FinishRequest);
    return finishAttempt({ ctx, input: { attemptId, attemptNo, ...said } });
  },
};

/** The agent's endpoint: /api/agent/v1/<path>. It calls the same verbs as the pages do, as another actor. */
export async function agentEndpoint(domain: Domain, request: Request, path: string[]): Promise<Response> {
  const anonymous = domain.as({ kind: "anonymous" });
  const name = `${request.method} ${path.join("/")}`;
  try {
    const open = OPEN[name];
    if (open) return json(await open(anonymous, request));
    const actor = await authenticateHost({ ctx: anonymous, input: { token: bearer(request) } });
    const ctx = domain.as(actor, request.signal);
    const ofHost = OF_HOST[name];
    return json(await (ofHost ? ofHost(ctx, request) : ofAttempt(ctx, request, path)));
  } catch (error) {
    return errorResponse(error);
  }
}

const bearer = (request: Request): string | null =>
  /^Bearer (\S{1,200})$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;

function ofAttempt(ctx: Ctx, request: Request, path: string[]): Promise<object> {
  const [first, attemptId, ...rest] = path;
  const isChunk = request.method === "PUT" && /^streams\/[^/]+\/chunks\/[^/]+$/.test(rest.join("/"));
  const handle = OF_ATTEMPT[isChunk ? CHUNK : `${request.method} ${rest.join("/")}`];
  if (first === "attempts" && handle && attemptId && Id.safeParse(attemptId).success)
    return handle(ctx, request, { attemptId, rest });
  throw new DomainError(
    "not_found",
    `There is no ${request.method} /api/agent/v1/${path.join("/")}.`.slice(0, 300),
  );
}
