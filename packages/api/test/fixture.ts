import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, startCluster } from "@rigmark/db/testing";
import {
  type Actor,
  authenticateHost,
  authenticateToken,
  type Ctx,
  challengeHost,
  createEnrollment,
  createInvitation,
  createReport,
  createRun,
  createSchedule,
  createToken,
  createWebhook,
  type Domain,
  enrollHost,
  ensureHome,
  ensureOwnWorkspace,
  finishAttempt,
  getRun,
  getWorkspace,
  leaseAttempt,
  listInvitations,
  listWorkspaces,
  openDomain,
  openSession,
  putCatalogue,
  putChunk,
  putFacts,
  startAttempt,
  startDevice,
} from "@rigmark/domain";
import { filesOf, type LauncherNote, launcherIn } from "@rigmark/domain/launcher";
import {
  CATALOGUE,
  FACTS,
  makeAgentKey,
  packChunks,
  SCENARIO,
  SPEC,
  totalsOf,
  writeJournal,
} from "@rigmark/domain/testing";
import type { NewSchedule, Role, Scope, TokenDays } from "@rigmark/results";
import { appRouter, createCallerFactory } from "../src/index";

export { SPEC };
export const WEBHOOK = { url: "https://hooks.example.org/rigmark" };
export const SCHEDULE: NewSchedule = { name: "nightly", minute: 120, days: [1, 7], wait_h: 12, spec: SPEC };

const PEOPLE = ["owner", "admin", "member", "viewer", "otherTenant", "anonymous", "agent"] as const;
/** Tokens: the owner's with one scope each, and one of the workspace with `queue`. */
const TOKENS = ["tokenRead", "tokenQueue", "tokenPublish", "tokenAdmin", "workspaceToken"] as const;
export const EVERYBODY = [
  ...TOKENS,
  ...(["anonymous", "agent", "otherTenant"] as const),
  ...(["viewer", "member", "admin", "owner"] as const),
] as const;
export type Who = (typeof PEOPLE)[number] | (typeof TOKENS)[number];
/** What the machine of the launcher is taken to have. */
export const OWN_ADDRESS = "192.168.1.10";
type Caller = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;

/** A workspace with a host, a finished run and a report, and everybody who may knock at it. */
export interface Fixture {
  ws: { workspace: string };
  workspaceId: string;
  host: { workspace: string; hostId: string };
  run: { workspace: string; runId: string };
  /** The same run, for what takes several. */
  runs: { workspace: string; runIds: string[] };
  schedule: { workspace: string; scheduleId: string };
  webhook: { workspace: string; webhookId: string };
  enrollment: { workspace: string; enrollmentId: string };
  invitation: { workspace: string; invitationId: string };
  report: { workspace: string; reportId: string };
  reportSlug: string;
  otherSlug: string;
  trialId: string;
  workspaceTokenId: string;
  domain: Domain;
  /** Who has the workspace, as at a browser. */
  owner: Actor;
  caller(who: Who): Caller;
  contextOf(who: Who): Ctx;
  /** What each sends as bearer to the public API; of people a token of theirs that may everything. */
  bearer: Record<Who, string | null>;
  /** A token of the owner that was made on these terms. */
  makeToken(scopes: Scope[], days?: TokenDays): Promise<{ token: string; tokenId: string }>;
  makeSchedule(): Promise<Fixture["schedule"]>;
  makeWebhook(): Promise<Fixture["webhook"]>;
  /** The id of somebody who has just joined the workspace as a member. */
  makeMember(): Promise<string>;
  /** A code that a program in a terminal shows. */
  makeDevice(): Promise<{ userCode: string; deviceCode: string }>;
  close(): Promise<void>;
}

export async function makeFixture(): Promise<Fixture> {
  const cluster = await startCluster();
  const databaseUrl = await createTestDatabase(cluster.url);
  const domain = openDomain({
    databaseUrl,
    publicUrl: "https://rigmark.example",
    version: "0.0.0",
    longPollMs: 0,
  });
  await ensureHome({ ctx: domain.as({ kind: "system" }) });
  const [owner, admin, member] = [
    await makePerson(domain, "ada"),
    await makePerson(domain, "amy"),
    await makePerson(domain, "bob"),
  ];
  const [viewer, otherTenant] = [await makePerson(domain, "vic"), await makePerson(domain, "eve")];
  const { agent, session, ...things } = await fill(domain, owner);
  const mine = await getWorkspace({ ctx: domain.as(owner), input: things.ws });
  // The installation's own, for what only its owners may.
  await domain.db.prisma.workspace.updateMany({ where: { home: true }, data: { home: false } });
  await domain.db.prisma.workspace.update({
    where: { workspace_id: mine.workspace_id },
    data: { home: true },
  });
  const state = mkdtempSync(join(tmpdir(), "rigmark-launcher-"));
  const nonce = randomBytes(32).toString("base64url");
  const note: LauncherNote = { schema: 1, pid: process.pid, nonce, may: "open", last: null };
  writeFileSync(filesOf(state).note, JSON.stringify(note));
  const launcher = {
    ...launcherIn(state),
    addresses: async () => [{ address: OWN_ADDRESS, interface: "wlan0" }],
  };
  const addMember = async ({ userId }: { userId: string }, role: Role) => {
    await domain.db.prisma.member.create({
      data: { workspace_id: mine.workspace_id, user_id: userId, role },
    });
    return userId;
  };
  await addMember(admin, "admin");
  await addMember(member, "member");
  await addMember(viewer, "viewer");
  const make = async (by: Actor, scopes: Scope[], workspace: string | null = null, days: TokenDays = 30) => {
    const name = `${scopes.join()} ${workspace ?? ""}`;
    const made = await createToken({ ctx: domain.as(by), input: { workspace, name, scopes, days } });
    return { token: made.token, tokenId: made.view.token_id };
  };
  const ofWorkspace = await make(owner, ["queue"], things.ws.workspace);
  const bearer: Record<Who, string | null> = {
    owner: (await make(owner, ["admin"])).token,
    admin: (await make(admin, ["admin"])).token,
    member: (await make(member, ["admin"])).token,
    viewer: (await make(viewer, ["admin"])).token,
    otherTenant: (await make(otherTenant, ["admin"])).token,
    anonymous: null,
    agent: session,
    tokenRead: (await make(owner, ["read"])).token,
    tokenQueue: (await make(owner, ["queue"])).token,
    tokenPublish: (await make(owner, ["publish"])).token,
    tokenAdmin: (await make(owner, ["admin"])).token,
    workspaceToken: ofWorkspace.token,
  };
  const nobody = domain.as({ kind: "anonymous" });
  const holder = (who: Who) => authenticateToken({ ctx: nobody, input: { token: bearer[who] } });
  const actors: Record<Who, Actor> = {
    ...{ owner, admin, member, viewer, otherTenant, agent, anonymous: { kind: "anonymous" } },
    tokenRead: await holder("tokenRead"),
    tokenQueue: await holder("tokenQueue"),
    tokenPublish: await holder("tokenPublish"),
    tokenAdmin: await holder("tokenAdmin"),
    workspaceToken: await holder("workspaceToken"),
  };
  const factory = createCallerFactory(appRouter);
  const makeSchedule = async () => {
    const input = { ...things.host, ...SCHEDULE };
    const { schedule_id } = await createSchedule({ ctx: domain.as(owner), input });
    return { ...things.ws, scheduleId: schedule_id };
  };
  const makeWebhook = async () => {
    // A workspace may have a few only; the first one stays.
    const first = await domain.db.prisma.webhook.findFirst({ orderBy: { created_at: "asc" } });
    const others = first ? { webhook_id: { not: first.webhook_id } } : {};
    await domain.db.prisma.webhook.deleteMany({ where: others });
    const { view } = await createWebhook({ ctx: domain.as(owner), input: { ...things.ws, ...WEBHOOK } });
    return { ...things.ws, webhookId: view.webhook_id };
  };
  return {
    ...things,
    webhook: await makeWebhook(),
    makeWebhook,
    schedule: await makeSchedule(),
    makeSchedule,
    workspaceId: mine.workspace_id,
    invitation: { ...things.ws, invitationId: await inviteSomebody(domain, owner, things.ws.workspace) },
    otherSlug: await slugOf(domain, otherTenant),
    domain,
    owner,
    bearer,
    workspaceTokenId: ofWorkspace.tokenId,
    makeToken: (scopes, days) => make(owner, scopes, null, days),
    makeMember: async () => addMember(await makePerson(domain, randomUUID()), "member"),
    makeDevice: async () => {
      const made = await startDevice({
        ctx: nobody,
        input: { client: "rigmark on attic", address: randomUUID() },
      });
      return { userCode: made.user_code, deviceCode: made.device_code };
    },
    contextOf: (who) => domain.as(actors[who]),
    caller: (who) =>
      factory({
        ctx: domain.as(actors[who]),
        providers: { github: false, mail: "file" },
        image: null,
        mailInvitation: null,
        launcher,
        atThisMachine: true,
      }) as unknown as Caller,
    close: async () => {
      await domain.close();
      await cluster.stop();
      rmSync(state, { recursive: true });
    },
  };
}

const slugOf = async (domain: Domain, actor: Actor): Promise<string> =>
  (await listWorkspaces({ ctx: domain.as(actor), input: {} }))[0]?.slug ?? "";

async function inviteSomebody(domain: Domain, owner: Actor, workspace: string): Promise<string> {
  const ctx = domain.as(owner);
  await createInvitation({ ctx, input: { workspace, role: "member", email: null, mail: null } });
  return (await listInvitations({ ctx, input: { workspace } })).invitations[0]?.invitation_id ?? "";
}

async function makePerson(domain: Domain, name: string): Promise<Actor & { kind: "user" }> {
  const userId = randomUUID();
  const email = `${name}@example.org`;
  await domain.db.prisma.user.create({ data: { id: userId, name, email } });
  await ensureOwnWorkspace({ ctx: domain.as({ kind: "system" }), input: { userId, name, email } });
  return { kind: "user", userId, name, email };
}

async function fill(domain: Domain, owner: Actor) {
  const ctx = domain.as(owner);
  const anonymous = domain.as({ kind: "anonymous" });
  const ws = { workspace: await slugOf(domain, owner) };
  const key = makeAgentKey();
  const made = await createEnrollment({ ctx, input: ws });
  const { host_id } = await enrollHost({
    ctx: anonymous,
    input: { key: made.key, public_key: key.publicKey, hostname: FACTS.hostname, agent_version: "0.1.0" },
  });
  const { nonce, protocol } = await challengeHost({
    ctx: anonymous,
    input: { host_id, protocol_min: 1, protocol_max: 1 },
  });
  const signature = key.sign(host_id, nonce);
  const { token } = await openSession({
    ctx: anonymous,
    input: { host_id, nonce, protocol, signature },
  });
  const agent = await authenticateHost({ ctx: anonymous, input: { token } });
  await putFacts({ ctx: domain.as(agent), input: FACTS });
  await putCatalogue({ ctx: domain.as(agent), input: CATALOGUE });
  const { run_id: runId } = await createRun({ ctx, input: { ...ws, hostId: host_id, spec: SPEC } });
  await measure(domain, agent);
  const shared = await createReport({ ctx, input: { ...ws, runId, showHostName: false } });
  const { trials } = await getRun({ ctx, input: { ...ws, runId } });
  return {
    agent,
    session: token,
    trialId: trials[0]?.trial_id ?? "",
    ws,
    host: { ...ws, hostId: host_id },
    run: { ...ws, runId },
    runs: { ...ws, runIds: [runId] },
    enrollment: { ...ws, enrollmentId: made.enrollment_id },
    report: { ...ws, reportId: shared.report_id },
    reportSlug: shared.slug,
  };
}

async function measure(domain: Domain, agent: Actor): Promise<void> {
  const ctx = domain.as(agent);
  const request = { request_id: randomUUID(), boot_id: "b", catalogue_digest: "ab".repeat(32) };
  const { lease } = await leaseAttempt({ ctx, input: request });
  if (!lease) throw new Error("nothing was leased");
  const of = { attemptId: lease.attempt_id, attemptNo: lease.attempt_no };
  await startAttempt({ ctx, input: of });
  const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} }), 50);
  for (const chunk of chunks) await putChunk({ ctx, input: { ...of, stream: "journal", ...chunk } });
  const streams = { journal: totalsOf(chunks), raw: totalsOf([]) };
  await finishAttempt({
    ctx,
    input: { ...of, status: "succeeded", error: null, corrupt_records: 0, streams },
  });
}
