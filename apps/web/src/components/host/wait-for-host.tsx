"use client";

import type { EnrollmentCreated, EnrollmentStatus, HostSummary } from "@rigmark/results";
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

interface WaitForHostProps {
  workspace: string;
  enrollment: EnrollmentCreated;
  renew: () => void;
  renewing: boolean;
}

/** Waits for the key to be used: by stream, and by asking where a proxy holds streams back. */
export function WaitForHost({ workspace, enrollment, renew, renewing }: WaitForHostProps) {
  const trpc = useTRPC();
  const now = useNow(1000);
  const [status, setStatus] = useState<EnrollmentStatus>({
    status: "waiting",
    expires_at: enrollment.expires_at,
  });
  const asked = { workspace, enrollmentId: enrollment.enrollment_id };
  const waiting = status.status === "waiting";
  useSubscription(
    trpc.host.watchEnrollment.subscriptionOptions(asked, { enabled: waiting, onData: setStatus }),
  );
  const poll = useQuery(
    trpc.host.enrollmentStatus.queryOptions(asked, {
      enabled: waiting,
      refetchInterval: waiting ? 4000 : false,
    }),
  );
  const newest = waiting && poll.data ? poll.data : status;
  if (newest.status === "used") return <Arrived workspace={workspace} arrived={newest.host} />;
  if (newest.status === "expired" || (now !== null && new Date(enrollment.expires_at).getTime() <= now))
    return (
      <div className="note" data-tone="warn" role="status">
        <p>The key has run out without being used.</p>
        <button type="button" className="btn mt-2" onClick={renew} disabled={renewing}>
          Make a new key
        </button>
      </div>
    );
  return (
    <div className="panel flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3" role="status">
      <span className="lamp" data-on="live" aria-hidden="true" />
      <span className="font-medium">Waiting for your host…</span>
      <span className="ml-auto text-ink-2" aria-hidden="true">
        key good for {now === null ? "1:00:00" : formatCountdown(enrollment.expires_at, now)}, once
      </span>
    </div>
  );
}

function Arrived({ workspace, arrived }: { workspace: string; arrived: HostSummary }) {
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
          <bdi>{plainLine(host.name)}</bdi> is here
        </h2>
        <HostStatusLine host={host} />
      </div>
      <div className="mt-3">
        {data?.facts ? (
          <DoctorChecks checks={data.facts.checks} />
        ) : (
          <p className="text-ink-2">Waiting for what doctor finds on it…</p>
        )}
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Link className="btn" data-kind="primary" href={`/w/${workspace}/runs/new?host=${host.host_id}`}>
          New run
        </Link>
        <Link className="btn" href={`/w/${workspace}/hosts/${host.host_id}`}>
          Open host
        </Link>
      </div>
    </section>
  );
}
