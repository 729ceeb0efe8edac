"use client";

import type { RunSpec } from "@rigmark/protocol";
import type { HostSummary, RunOptions } from "@rigmark/results";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryState } from "nuqs";
import { type FormEvent, useMemo, useRef, useState } from "react";
import { problemsOf, type RunForm, toSpec } from "@/lib/new-run";
import { useTRPC } from "@/trpc/client";
import { ScheduleDialog } from "../schedule/schedule-dialog";
import { Problem } from "../ui/problem";
import { leadToProblem } from "./lead-to-problem";
import { HostChoice } from "./new-run-host";
import { PlannedDuration } from "./new-run-planned";
import { ScenarioChoice } from "./new-run-scenarios";
import { ServerChoice } from "./new-run-servers";
import { RunSettings } from "./new-run-settings";
import { type EarlierRun, type SavedPlan, StartChoice } from "./new-run-start";

interface NewRunProps {
  workspace: string;
  hosts: HostSummary[];
  initialHost: string;
  initialOptions: RunOptions | null;
  initialForm: RunForm;
  /** Name of the report's run whose plan this is; null: none. */
  repeats: string | null;
  /** Of the workspace, newest first. */
  earlier: readonly EarlierRun[];
  schedules: readonly SavedPlan[];
}

const drawSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

export function NewRun({
  workspace,
  hosts,
  initialHost,
  initialOptions,
  initialForm,
  repeats,
  earlier,
  schedules,
}: NewRunProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const [hostId, setHost] = useQueryState("host", parseAsString.withDefault(initialHost));
  const [form, setForm] = useState(initialForm);
  const [asked, setAsked] = useState(false);
  const formElement = useRef<HTMLFormElement>(null);
  const options = useQuery(
    trpc.run.options.queryOptions(
      { workspace, hostId },
      {
        ...(hostId === initialHost && initialOptions ? { initialData: initialOptions } : {}),
        // A host that has just come has not said yet what it can do.
        refetchInterval: (query) => (query.state.error ? 3000 : false),
      },
    ),
  );
  const create = useMutation(trpc.run.create.mutationOptions());
  const problems = useMemo(() => (options.data ? problemsOf(form, options.data) : {}), [form, options.data]);
  const shown = asked ? problems : {};

  const [saving, setSaving] = useState<RunSpec | null>(null);

  /** The plan; null where something has to be fixed first. */
  const checked = (): RunSpec | null => {
    setAsked(true);
    if (!options.data || Object.keys(problems).length > 0) {
      requestAnimationFrame(() => leadToProblem(formElement.current));
      return null;
    }
    return toSpec(form, drawSeed, options.data);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const spec = checked();
    if (!spec) return;
    create.mutate(
      { workspace, hostId, spec, ...(repeats !== null && { repeats }) },
      { onSuccess: ({ run_id }) => router.push(`/w/${workspace}/runs/${run_id}`) },
    );
  };

  return (
    <form
      ref={formElement}
      onSubmit={submit}
      noValidate
      className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_18rem] lg:grid-rows-[auto_1fr]"
    >
      <div className="min-w-0 space-y-5 lg:row-span-2">
        {options.error && <Problem message={options.error.message} retry={() => options.refetch()} />}
        <div className="grid gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <HostChoice hosts={hosts} value={hostId} onChange={setHost} />
          {options.data && (
            <StartChoice
              workspace={workspace}
              options={options.data}
              form={form}
              onChange={setForm}
              earlier={earlier}
              schedules={schedules}
            />
          )}
        </div>
        {options.data ? (
          <div className="grid gap-5 lg:grid-cols-2">
            <ServerChoice options={options.data} form={form} onChange={setForm} problems={shown} />
            <ScenarioChoice options={options.data} form={form} onChange={setForm} problems={shown} />
          </div>
        ) : (
          !options.error && <p className="min-h-96 text-ink-2">Loading what this host can run…</p>
        )}
      </div>
      <aside className="space-y-4" aria-label="Settings">
        <RunSettings form={form} onChange={setForm} problems={shown} tune={options.data?.tune ?? null} />
        {options.data && <PlannedDuration form={form} options={options.data} />}
      </aside>
      <div className="sticky bottom-0 z-20 space-y-2 self-start border-line bg-paper py-2 max-lg:border-t lg:static lg:py-0">
        {create.error && <Problem message={create.error.message} />}
        {asked && Object.keys(problems).length > 0 && (
          <p className="note" data-tone="bad" role="alert">
            {Object.keys(problems).length === 1
              ? "Fix one problem first; its message is next to the field."
              : `Fix ${Object.keys(problems).length} problems first; their messages are next to the fields.`}
          </p>
        )}
        <div className="flex flex-wrap gap-2 lg:flex-col">
          <button
            type="submit"
            className="btn flex-1"
            data-kind="primary"
            // The run's page takes a moment to come.
            disabled={create.isPending || create.isSuccess || !options.data}
          >
            Queue run
          </button>
          <button
            type="button"
            className="btn flex-1"
            disabled={!options.data}
            aria-haspopup="dialog"
            onClick={() => setSaving(checked())}
          >
            Save as a schedule
          </button>
        </div>
        <ScheduleDialog workspace={workspace} hostId={hostId} spec={saving} close={() => setSaving(null)} />
      </div>
    </form>
  );
}
