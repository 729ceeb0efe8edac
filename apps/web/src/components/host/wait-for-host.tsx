"use client";

import type { EnrollmentCreated, EnrollmentStatus, HostSummary, StepReport } from "@rigmark/results";
import { useQuery } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import Link from "next/link";
import { useState } from "react";
import { plainLine } from "@/lib/text";
import { formatCountdown } from "@/lib/time";
import { useTRPC } from "@/trpc/client";
import { useNow } from "../ui/time-ago";
import { DoctorChecks } from "./doctor-checks";
import { HostStatusLine } from "./host-status";
import { InstallSteps } from "./install-steps";

interface WaitForHostProps {
  workspace: string;
  report: string | null;
  enrollment: EnrollmentCreated;
  renew: () => void;
  renewing: boolean;
}

/** Waits for the key to be used: by stream, and by asking where a proxy holds streams back. */
export function WaitForHost({ workspace, report, enrollment, renew, renewing }: WaitForHostProps) {
  const trpc = useTRPC();
  const now = useNow(1000);
  const [streamed, setStreamed] = useState<{ status: EnrollmentStatus; at: number }>({
    status: { status: "waiting", expires_at: enrollment.expires_at, steps: [] },
    at: 0,
  });
  const asked = { workspace, enrollmentId: enrollment.enrollment_id };
  const enabled = !isOver(streamed.status);
  useSubscription(
    trpc.host.watchEnrollment.subscriptionOptions(asked, {
      enabled,
      onData: (status) => setStreamed({ status, at: Date.now() }),
    }),
  );
  const poll = useQuery(
    trpc.host.enrollmentStatus.queryOptions(asked, {
      enabled,
      refetchInterval: ({ state: { data } }) => (enabled && !(data && isOver(data)) ? 4000 : false),
    }),
  );
  const polled = enabled && poll.dataUpdatedAt > streamed.at ? poll.data : undefined;
  const newest = polled ?? streamed.status;
  if (newest.status === "used")
    return <Arrived workspace={workspace} report={report} arrived={newest.host} steps={newest.steps} />;
  if (newest.status === "expired" || (now !== null && new Date(enrollment.expires_at).getTime() <= now))
    return (
      <div className="note" data-tone="warn" role="status">
        <p>The key expired unused.</p>
        <button type="button" className="btn mt-2" onClick={renew} disabled={renewing}>
          Make a new key
        </button>
      </div>
    );
  const { steps } = newest;
  const failed = steps.some(({ state }) => state === "failed");
  const ended = failed || steps.some(({ step }) => step === "service");
  return (
    <div className="panel px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1" role="status">
        <span className="lamp" data-on={lamp(failed, ended)} aria-hidden="true" />
        <span className="font-medium">{headline(steps.length > 0, failed, ended)}</span>
        <span className="ml-auto text-ink-2" aria-hidden="true">
          works once, expires in {now === null ? "1:00:00" : formatCountdown(enrollment.expires_at, now)}
        </span>
      </div>
      {steps.length > 0 && (
        <div className="mt-2 border-line border-t">
          <InstallSteps reports={steps} host={null} />
        </div>
      )}
      {failed && (
        <p className="mt-1 text-ink-2">
          Fix what failed, then run the same command on the host again. The key was not used.
        </p>
      )}
    </div>
  );
}

/** Nothing that is shown here changes any more. */
const isOver = (status: EnrollmentStatus): boolean =>
  status.status === "expired" || (status.status === "used" && status.host.online);

const lamp = (failed: boolean, ended: boolean) => (failed ? "bad" : ended ? "warn" : "live");

function headline(begun: boolean, failed: boolean, ended: boolean): string {
  if (failed) return "The installation stopped on the host";
  if (ended) return "The script ended without using the key";
  return begun ? "Installing on your host…" : "Waiting for your host…";
}

interface ArrivedProps {
  workspace: string;
  report: string | null;
  arrived: HostSummary;
  steps: readonly StepReport[];
}

function Arrived({ workspace, report, arrived, steps }: ArrivedProps) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.host.get.queryOptions(
      { workspace, hostId: arrived.host_id },
      { refetchInterval: (query) => (query.state.data?.facts && query.state.data.online ? false : 1500) },
    ),
  );
  const host = data ?? arrived;
  return (
    <section className="panel border-good px-4 py-4" aria-label="Host arrived">
      <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2>
          <bdi>{plainLine(host.name)}</bdi> is enrolled
        </h2>
        <HostStatusLine host={host} />
      </div>
      {steps.length > 0 && (
        <div className="mt-2 border-line border-y">
          <InstallSteps reports={steps} host={host} />
        </div>
      )}
      <div className="mt-3">
        {data?.facts ? (
          <DoctorChecks checks={data.facts.checks} />
        ) : (
          <p className="text-ink-2">Waiting for the results of doctor…</p>
        )}
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Link
          className="btn"
          data-kind="primary"
          href={`/w/${workspace}/runs/new?host=${host.host_id}${report ? `&report=${report}` : ""}`}
        >
          {report ? "Run the report’s plan" : "New run"}
        </Link>
        <Link prefetch={false} className="btn" href={`/w/${workspace}/hosts/${host.host_id}`}>
          Open host
        </Link>
      </div>
    </section>
  );
}
