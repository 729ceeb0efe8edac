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
import { readMessage } from "./body";
import { receiveChunk } from "./chunk";

const LARGE = 2 * 1024 * 1024;
const SMALL = 16 * 1024;

/** The agent's endpoint: /api/agent/v1/<path>. It calls the same verbs as the pages do, as another actor. */
export async function agentEndpoint(domain: Domain, request: Request, path: string[]): Promise<Response> {
  try {
    const open = await answerWithoutSession(domain, request, path);
    if (open !== undefined) return json(open);
    const actor = await authenticateHost({
      ctx: domain.as({ kind: "anonymous" }),
      input: { token: bearer(request) },
    });
    return json(await answerWithSession(domain.as(actor, request.signal), request, path));
  } catch (error) {
    return errorResponse(error);
  }
}

const bearer = (request: Request): string | null =>
  /^Bearer (\S{1,200})$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;

/** What may be asked without a session: by an agent before it has one, and by the install script. */
async function answerWithoutSession(
  domain: Domain,
  request: Request,
  path: string[],
): Promise<object | undefined> {
  const ctx = domain.as({ kind: "anonymous" });
  switch (`${request.method} ${path.join("/")}`) {
    case "POST enroll":
      return enrollHost({ ctx, input: await readMessage(request, EnrollRequest) });
    case "POST enroll/steps": {
      const said = await readMessage(request, EnrollStepRequest, SMALL);
      await reportStep({ ctx, input: { ...said, key: bearer(request) } });
      return {};
    }
    case "POST session/challenge":
      return challengeHost({ ctx, input: await readMessage(request, ChallengeRequest) });
    case "POST session":
      return openSession({ ctx, input: await readMessage(request, SessionRequest) });
    default:
      return undefined;
  }
}

async function answerWithSession(ctx: Ctx, request: Request, path: string[]): Promise<object> {
  switch (`${request.method} ${path.join("/")}`) {
    case "PUT host/facts":
      await putFacts({ ctx, input: await readMessage(request, HostFacts, LARGE) });
      return {};
    case "PUT host/catalogue":
      await putCatalogue({ ctx, input: await readMessage(request, Catalogue, LARGE) });
      return {};
    case "POST lease":
      return leaseAttempt({ ctx, input: await readMessage(request, LeaseRequest) });
  }
  const [first, id, ...rest] = path;
  if (first === "attempts" && Id.safeParse(id).success && id) return ofAttempt(ctx, request, id, rest);
  throw new DomainError(
    "not_found",
    `There is no ${request.method} /api/agent/v1/${path.join("/")}.`.slice(0, 300),
  );
}

async function ofAttempt(ctx: Ctx, request: Request, attemptId: string, rest: string[]): Promise<object> {
  const [verb, stream, chunks, seq] = rest;
  if (
    request.method === "PUT" &&
    verb === "streams" &&
    stream &&
    chunks === "chunks" &&
    seq &&
    rest.length === 4
  ) {
    return receiveChunk(ctx, request, attemptId, stream, seq);
  }
  switch (`${request.method} ${rest.join("/")}`) {
    case "POST start": {
      const { attempt_no: attemptNo } = await readMessage(request, StartRequest);
      return startAttempt({ ctx, input: { attemptId, attemptNo } });
    }
    case "POST heartbeat": {
      const { attempt_no: attemptNo, ...said } = await readMessage(request, HeartbeatRequest);
      return recordHeartbeat({ ctx, input: { attemptId, attemptNo, ...said } });
    }
    case "POST finish": {
      const { attempt_no: attemptNo, ...said } = await readMessage(request, FinishRequest);
      return finishAttempt({ ctx, input: { attemptId, attemptNo, ...said } });
    }
    default:
      throw new DomainError(
        "not_found",
        `An attempt has no ${request.method} ${rest.join("/")}.`.slice(0, 300),
      );
  }
}
