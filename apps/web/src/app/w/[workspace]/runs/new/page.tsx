import type { RunSpec } from "@rigmark/protocol";
import { ReportRunName } from "@rigmark/results";
import type { Metadata } from "next";
import Link from "next/link";
import { NewRun } from "@/components/run/new-run";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { emptyForm, fromSchedule, fromSpec, withScenarios } from "@/lib/new-run";
import { plainLine } from "@/lib/text";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "New run" };

export default async function NewRunPage({ params, searchParams }: PageProps<"/w/[workspace]/runs/new">) {
  const { workspace } = await params;
  const { host: wanted, from, schedule, report, scenario } = await searchParams;
  const api = await caller();
  const here = await placeOf(workspace);
  if (!here.may.includes("queue"))
    return (
      <>
        <PageHead title="New run" />
        <Empty title="You cannot queue runs here">
          Your role here is {here.role}. Ask an admin or an owner for another one.
        </Empty>
      </>
    );
  const hosts = (await orNotFound(api.host.list({ workspace }))).filter(
    (h) => !["revoked", "published"].includes(h.status),
  );
  const model = typeof from === "string" ? await orNotFound(api.run.get({ workspace, runId: from })) : null;
  const saved =
    typeof schedule === "string"
      ? await orNotFound(api.schedule.get({ workspace, scheduleId: schedule }))
      : null;
  const repeated = await reportedPlan(report);
  const host =
    hosts.find((h) => h.host_id === wanted) ??
    hosts.find((h) => h.host_id === model?.host.host_id) ??
    hosts.find((h) => h.host_id === saved?.host_id) ??
    hosts.find((h) => h.online) ??
    hosts[0];
  if (!host)
    return (
      <>
        <PageHead title="New run" />
        <Empty
          title="A run needs a host"
          action={
            here.may.includes("manageHosts") && (
              <Link
                className="btn"
                data-kind="primary"
                href={`/w/${workspace}/hosts/new${repeated ? `?report=${repeated.name}` : ""}`}
              >
                Add a host
              </Link>
            )
          }
        >
          {here.may.includes("manageHosts")
            ? "Servers are measured on your own machines. Install the agent on one; you can then choose here from the servers and scenarios that it can run."
            : "Servers are measured on your own machines. Ask an admin or an owner to add one."}
        </Empty>
      </>
    );
  // A host that has not sent its catalogue yet is asked for again by the page.
  const [options, { runs }, { schedules }] = await Promise.all([
    api.run.options({ workspace, hostId: host.host_id }).catch(() => null),
    api.run.list({ workspace, limit: 10 }),
    api.schedule.list({ workspace }),
  ]);
  const spec = repeated?.spec ?? model?.spec;
  const form = spec ? fromSpec(spec) : saved ? fromSchedule(saved.spec) : emptyForm();
  return (
    <>
      <PageHead title="New run">
        {repeated && (
          <>
            This is the plan of the report “<bdi>{plainLine(repeated.title)}</bdi>”. You can compare your
            results with the report’s.
          </>
        )}
      </PageHead>
      <NewRun
        // Another plan is another form.
        key={`${from} ${schedule} ${report} ${scenario}`}
        workspace={workspace}
        hosts={hosts}
        initialHost={host.host_id}
        initialOptions={options}
        initialForm={withScenarios(form, scenario)}
        earlier={runs.map(({ run_id, title, host: { name }, created_at }) => ({
          run_id,
          title,
          host: { name },
          created_at,
        }))}
        schedules={schedules.map(({ schedule_id, name, host, minute, days }) => ({
          ...{ schedule_id, name, minute, days },
          host: { name: host.name },
        }))}
        repeats={repeated?.name ?? null}
      />
    </>
  );
}

/** The plan of a run of a report; null where the address names none. */
async function reportedPlan(
  report: string | string[] | undefined,
): Promise<{ name: ReportRunName; title: string; spec: RunSpec } | null> {
  if (!ReportRunName.safeParse(report).success || typeof report !== "string") return null;
  const [slug = "", place] = report.split(".");
  const { snapshot } = await orNotFound((await caller()).report.bySlug({ slug }));
  const run = snapshot.runs[Number(place) - 1];
  return run ? { name: report, title: snapshot.title, spec: run.spec } : null;
}
