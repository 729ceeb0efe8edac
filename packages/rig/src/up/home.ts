import {
  createReportAsSystem,
  type Domain,
  DomainError,
  enrollLocalHost,
  ensureHome,
  getHost,
  getRun,
  listHosts,
  listRunLogs,
  openDomain,
  queueDemoRun,
} from "@rigmark/domain";
import type { RunSpec } from "@rigmark/protocol";
import type { HostView, RunView } from "@rigmark/results";
import { version } from "../paths";

export type { HostView, RunSpec, RunView };

/** The workspace that `up` makes, and what the launcher asks of it, as the actor "system". */
export interface Home {
  ctx: ReturnType<Domain["as"]>;
  workspace: string;
  publicUrl: string;
  close(): Promise<void>;
}

export async function openHome(databaseUrl: string, publicUrl: string): Promise<Home> {
  const domain = openDomain({ databaseUrl, publicUrl, version: version() });
  const ctx = domain.as({ kind: "system" });
  const { workspace } = await ensureHome({ ctx });
  return { ctx, workspace, publicUrl, close: () => domain.close() };
}

/** The link for the first owner until somebody has used it; from then on the ordinary one. */
export async function signInUrl({ ctx, publicUrl }: Home): Promise<string> {
  const { claimToken } = await ensureHome({ ctx });
  return claimToken ? `${publicUrl}/welcome?token=${encodeURIComponent(claimToken)}` : `${publicUrl}/sign-in`;
}

export async function issueKey({ ctx, workspace }: Home): Promise<string> {
  return (await enrollLocalHost({ ctx, input: { workspace } })).key;
}

export const listHomeHosts = ({ ctx, workspace }: Home) => listHosts({ ctx, input: { workspace } });

/** How many hosts there are, revoked ones not counted. */
export async function countHosts(home: Home): Promise<number> {
  return (await listHomeHosts(home)).filter((h) => h.status !== "revoked").length;
}

export const readHost = ({ ctx, workspace }: Home, hostId: string | null): Promise<HostView | null> =>
  hostId === null ? Promise.resolve(null) : orNull(getHost({ ctx, input: { workspace, hostId } }));

export const readRun = ({ ctx, workspace }: Home, runId: string): Promise<RunView | null> =>
  orNull(getRun({ ctx, input: { workspace, runId } }));

export async function queueHomeRun({ ctx, workspace }: Home, hostId: string, spec: RunSpec): Promise<string> {
  return (await queueDemoRun({ ctx, input: { workspace, hostId, spec } })).run_id;
}

export async function publishRun({ ctx, workspace }: Home, runId: string): Promise<string> {
  return (await createReportAsSystem({ ctx, input: { workspace, runId } })).url;
}

/** What the agent said about a run. */
export async function readLogs({ ctx, workspace }: Home, runId: string): Promise<string[]> {
  const { lines } = await listRunLogs({ ctx, input: { workspace, runId, source: "agent", limit: 1000 } });
  return lines.map(({ line }) => line);
}

/** Null for what is not there (a data folder that was thrown away, say); everything else is an error. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}
