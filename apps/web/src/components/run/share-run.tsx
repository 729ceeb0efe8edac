"use client";

import type { RunListItem, RunView } from "@rigmark/results";
import { useState } from "react";
import { ShareDialog } from "../report/share-dialog";
import { NOTHING_CHOSEN, ShareFields, writtenTitle } from "../report/share-fields";
import { ShareBeside } from "./share-beside";

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
  const [choice, setChoice] = useState(NOTHING_CHOSEN);
  const [choosing, setChoosing] = useState(false);
  const [beside, setBeside] = useState<RunListItem[]>([]);
  return (
    <ShareDialog
      workspace={workspace}
      runIds={[run.run_id, ...beside.map((other) => other.run_id)]}
      reportTitle={writtenTitle(choice)}
      showHostName={choice.showHostName}
      title="Share this run"
      description="A report is a frozen copy of this run. You choose below who can read it. Later changes to the run do not affect it."
      onShared={onShared}
    >
      <ShareFields
        value={choice}
        onChange={setChoice}
        runTitle={run.title}
        others={beside.length}
        hardware={run.host.board ?? run.host.cpu_model}
      />
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
