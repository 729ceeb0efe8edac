"use client";

import type { RunListItem, RunView } from "@rigmark/results";
import { useState } from "react";
import { plainLine, plural } from "@/lib/text";
import { ShareDialog } from "../report/share-dialog";
import { Field } from "../ui/field";
import { ShareBeside } from "./share-beside";

const MOST_TITLE = 120;

/** Freezes the run into a report and hands out its link. */
export function ShareRun({
  workspace,
  run,
  onShared,
}: {
  workspace: string;
  run: RunView;
  onShared: () => void;
}) {
  const [written, setTitle] = useState<string | null>(null);
  const [showHostName, setShowHostName] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [beside, setBeside] = useState<RunListItem[]>([]);
  const title = written ?? titleOf(run, beside.length);
  return (
    <ShareDialog
      workspace={workspace}
      runIds={[run.run_id, ...beside.map((other) => other.run_id)]}
      // What was only proposed is left to the report: it hides the name of the host in it, too.
      reportTitle={written?.trim() || undefined}
      showHostName={showHostName}
      title="Share this run"
      description="A report is a frozen copy of this run. You choose below who can read it. Later changes to the run do not affect it."
      onShared={onShared}
    >
      <Field
        label="Title of the report"
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        maxLength={MOST_TITLE}
      />
      <label className="flex cursor-pointer gap-3">
        <input
          type="checkbox"
          className="mt-0.5"
          checked={showHostName}
          onChange={(event) => setShowHostName(event.target.checked)}
        />
        <span>
          {beside.length > 0 ? "Show the hosts' names" : "Show the host's name"}
          <span className="block text-[0.929rem] text-ink-2">
            {beside.length > 0
              ? "Otherwise readers see their boards or CPUs."
              : `Otherwise readers see its board or CPU: ${plainLine(run.host.board ?? run.host.cpu_model ?? "unknown")}.`}
          </span>
        </span>
      </label>
      <details open={choosing} onToggle={(event) => setChoosing(event.currentTarget.open)}>
        <summary className="font-medium">
          Add other runs to the report{beside.length > 0 && ` (${beside.length} chosen)`}
        </summary>
        {choosing && (
          <div className="mt-3">
            <ShareBeside workspace={workspace} run={run} chosen={beside} onChange={setBeside} />
          </div>
        )}
      </details>
    </ShareDialog>
  );
}

/** As the report is called unless somebody writes a title. */
const titleOf = (run: RunView, others: number): string => {
  const more = others === 0 ? "" : `, and ${plural(others, "other run")}`;
  return `${plainLine(run.title).slice(0, MOST_TITLE - more.length)}${more}`;
};
