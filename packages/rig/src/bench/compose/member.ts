import type { RunSpec } from "@rigmark/protocol";
import type { EnrollmentCreated, HostView, ReportCreated, RunView } from "@rigmark/results";
import { CLAIM_HEADER } from "@rigmark/results/settings";
import { CommandError } from "../../say";

/** What the host is called that joins by its line. */
export const ADDED = "added-by-line";

const WATCH_MS = 60_000;

/** The first owner of an installation, through the routes that its pages use. */
export interface Member {
  addHost(): Promise<EnrollmentCreated>;
  /** The hosts that are online with their catalogues. */
  hosts(): Promise<HostView[]>;
  queue(hostId: string, spec: RunSpec): Promise<string>;
  run(runId: string): Promise<RunView>;
  publish(runId: string): Promise<ReportCreated>;
  /** Follows a run as its page does, until points of a series come; false when the run ends before. */
  watch(runId: string): Promise<boolean>;
}

/** Follows the link for the first owner. */
export async function becomeOwner(url: string, link: string): Promise<Member> {
  const token = new URL(link).searchParams.get("token") ?? "";
  const signUp = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, [CLAIM_HEADER]: token },
    body: JSON.stringify({ name: "Bench", email: "bench@example.org", password: `bench-${token}` }),
  });
  if (!signUp.ok) throw new CommandError(`Signing up failed: ${await signUp.text()}`);
  const cookie = signUp.headers
    .getSetCookie()
    .map((each) => each.split(";")[0] ?? "")
    .join("; ");
  const ask = async <T>(method: "GET" | "POST", name: string, input: object): Promise<T> => {
    const text = JSON.stringify({ json: input });
    const query = method === "GET" ? `?input=${encodeURIComponent(text)}` : "";
    const response = await fetch(`${url}/api/trpc/${name}${query}`, {
      method,
      headers: { cookie, origin: url, "content-type": "application/json" },
      ...(method === "POST" && { body: text }),
    });
    if (!response.ok) throw new CommandError(`${name} failed: ${await response.text()}`);
    return ((await response.json()) as { result: { data: { json: T } } }).result.data.json;
  };
  const { workspace } = await ask<{ workspace: string }>("POST", "setup.claim", { token });
  return {
    addHost: () => ask("POST", "host.createEnrollment", { workspace, name: ADDED }),
    hosts: async () => {
      const listed = await ask<{ host_id: string }[]>("GET", "host.list", { workspace });
      const found = listed.map(({ host_id: hostId }) =>
        ask<HostView>("GET", "host.get", { workspace, hostId }),
      );
      return (await Promise.all(found)).filter((host) => host.status === "online" && host.catalogue !== null);
    },
    queue: async (hostId, spec) =>
      (await ask<{ run_id: string }>("POST", "run.create", { workspace, hostId, spec })).run_id,
    run: (runId) => ask("GET", "run.get", { workspace, runId }),
    publish: (runId) => ask("POST", "report.create", { workspace, runId }),
    watch: async (runId) => {
      const query = encodeURIComponent(JSON.stringify({ json: { workspace, runId } }));
      const signal = AbortSignal.timeout(WATCH_MS);
      const headers = { cookie, accept: "text/event-stream" };
      const response = await fetch(`${url}/api/trpc/run.watch?input=${query}`, { headers, signal });
      let text = "";
      for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += part;
        if (text.includes('"kind":"points"')) return true;
      }
      return false;
    },
  };
}
