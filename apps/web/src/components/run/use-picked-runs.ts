"use client";

import { useEffect, useState } from "react";
import { type PickedRun, readPicked, storePicked } from "@/lib/picked-runs";

/** The ticked runs of a workspace, and how to change them. */
export function usePickedRuns(
  workspace: string,
): [readonly PickedRun[], (picked: readonly PickedRun[]) => void] {
  const [picked, setPicked] = useState<readonly PickedRun[]>([]);
  // The server that draws the page does not know them.
  useEffect(() => setPicked(readPicked(workspace)), [workspace]);
  const change = (next: readonly PickedRun[]) => {
    setPicked(next);
    storePicked(workspace, next);
  };
  return [picked, change];
}
