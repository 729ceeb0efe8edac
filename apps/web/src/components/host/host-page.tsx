"use client";

import type { HostView } from "@rigmark/results";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { plainLine } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { StateBadge } from "../run/state-badge";
import { useMay } from "../shell/may";
import { Confirm } from "../ui/confirm";
import { PageHead } from "../ui/page-head";
import { Problem } from "../ui/problem";
import { Term } from "../ui/term";
import { TimeAgo } from "../ui/time-ago";
import { CatalogueTable } from "./catalogue-table";
import { DoctorChecks } from "./doctor-checks";
import { HostFactsList } from "./host-facts";
import { hostInBrief } from "./host-list";
import { HostCalibrationPanel, HostNoisePanel } from "./host-noise";
import { HostStatusLine } from "./host-status";
import { RenameHost } from "./rename-host";

export function HostPage({ workspace, initial }: { workspace: string; initial: HostView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const query = trpc.host.get.queryOptions(
    { workspace, hostId: initial.host_id },
    { initialData: initial, refetchInterval: 5000 },
  );
  const { data: host, error, refetch } = useQuery(query);
  const revoke = useMutation(
    trpc.host.revoke.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: query.queryKey }),
    }),
  );
  const revoked = host.status === "revoked";
  const published = host.status === "published";
  const name = plainLine(host.name);
  const [mayManage, mayQueue] = [useMay("manageHosts"), useMay("queue")];
  return (
    <>
      <PageHead
        title={<bdi>{name}</bdi>}
        actions={
          !revoked && (
            <>
              {mayManage && <RenameHost workspace={workspace} host={host} />}
              {!published && mayManage && (
                <Confirm
                  trigger="Revoke"
                  title={`Revoke ${name}?`}
                  action="Revoke"
                  keep="Keep the host"
                  run={() => revoke.mutateAsync({ workspace, hostId: host.host_id })}
                >
                  From then on its agent can no longer take runs or send results. Its queued and running runs
                  are cancelled, and its schedules queue nothing more. Finished runs and reports stay. To
                  bring the host back, enroll it with a new key.
                </Confirm>
              )}
              {!published && mayQueue && (
                <Link
                  className="btn"
                  data-kind="primary"
                  href={`/w/${workspace}/runs/new?host=${host.host_id}`}
                >
                  New run
                </Link>
              )}
            </>
          )
        }
      >
        <p className="flex flex-wrap gap-x-5 gap-y-1">
          <HostStatusLine host={host} />
          <span>{hostInBrief(host)}</span>
        </p>
      </PageHead>
      {error && <Problem message={error.message} retry={() => refetch()} className="mb-5" />}
      {published && (
        <p className="note mb-5">
          Runs from this machine were published here as files. The machine has no agent in this workspace, so
          you cannot queue runs on it.
        </p>
      )}
      {host.current_run && (
        <p className="panel mb-5 flex flex-wrap items-center gap-x-3 px-4 py-2.5">
          <StateBadge state={host.current_run.state} />
          <Link prefetch={false} className="link" href={`/w/${workspace}/runs/${host.current_run.run_id}`}>
            <bdi>{plainLine(host.current_run.title)}</bdi>
          </Link>
        </p>
      )}
      <div className="grid gap-x-8 gap-y-8 lg:grid-cols-2">
        <section>
          <h2 className="mb-2">Doctor</h2>
          {host.facts ? <DoctorChecks checks={host.facts.checks} /> : <Waiting published={published} />}
        </section>
        <section>
          <h2 className="mb-2">
            Facts{" "}
            {host.facts_at && (
              <span className="font-normal text-[0.929rem] text-ink-2">
                as of <TimeAgo at={host.facts_at} />
              </span>
            )}
          </h2>
          {host.facts ? <HostFactsList facts={host.facts} /> : <Waiting published={published} />}
        </section>
        <section>
          <h2 className="mb-2">
            <Term id="noise-score">Noise</Term>
          </h2>
          {host.facts ? <HostNoisePanel noise={host.facts.noise} /> : <Waiting published={published} />}
        </section>
        <section>
          <h2 className="mb-2">
            <Term id="smallest-visible-difference">Calibration</Term>
          </h2>
          {host.facts ? <HostCalibrationPanel facts={host.facts} /> : <Waiting published={published} />}
        </section>
        {!published && (
          <section className="lg:col-span-2">
            <h2 className="mb-2">Catalog</h2>
            {host.catalogue ? <CatalogueTable catalogue={host.catalogue} /> : <Waiting />}
          </section>
        )}
      </div>
    </>
  );
}

const Waiting = ({ published = false }: { published?: boolean }) => (
  <p className="text-ink-2">
    {published
      ? "No published file contains this."
      : "The agent has not sent this yet. It does so as soon as it connects."}
  </p>
);
