"use client";

import { useState } from "react";
import { ShareDialog } from "../report/share-dialog";
import { NOTHING_CHOSEN, ShareFields, writtenTitle } from "../report/share-fields";

interface ShareComparedProps {
  workspace: string;
  /** In their order on the page; at least one. */
  runIds: readonly string[];
  /** Of the first of them: its title, and the board or CPU of its host. */
  first: { title: string; hardware: string | null };
  baseline: string | undefined;
  description: string;
}

/** Freezes the compared runs into a report. What is chosen of it is what sharing a run offers. */
export function ShareCompared({ workspace, runIds, first, baseline, description }: ShareComparedProps) {
  const [choice, setChoice] = useState(NOTHING_CHOSEN);
  return (
    <ShareDialog
      workspace={workspace}
      runIds={runIds}
      reportTitle={writtenTitle(choice)}
      showHostName={choice.showHostName}
      title={runIds.length > 1 ? "Share these runs" : "Share this run"}
      baseline={baseline}
      description={description}
    >
      <ShareFields
        value={choice}
        onChange={setChoice}
        runTitle={first.title}
        others={runIds.length - 1}
        hardware={first.hardware}
      />
    </ShareDialog>
  );
}
