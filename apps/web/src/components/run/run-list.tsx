"use client";

import type { RunListFilter, RunListItem, RunPage } from "@rigmark/results";
import { MOST_COMPARED } from "@rigmark/results/comparable";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { comparePath } from "@/lib/compare-path";
import { hasEnded, pickedOf } from "@/lib/picked-runs";
import { runsPath, SEARCH_ID } from "@/lib/run-filter";
import { useTRPC } from "@/trpc/client";
import { PageLinks } from "../ui/page-links";
import { Problem } from "../ui/problem";
import { KeysDialog, useKeysOn } from "./keys-dialog";
import { RunRow } from "./run-row";
import { TickedBar } from "./ticked-bar";
import { UndoBar } from "./undo-bar";
import { useDeleteRuns } from "./use-delete-runs";
import { focusedRun, moveInList, useListKeys } from "./use-list-keys";
import { usePickedRuns } from "./use-picked-runs";

interface RunListProps {
  workspace: string;
  cursor: string | null;
  filter: RunListFilter;
  initial: RunPage;
  /** Runs that have ended can be deleted. */
  mayDelete: boolean;
  /** What stands here where there was no run to begin with. */
  empty: ReactNode;
}

const focusSearch = (): void => {
  const search = document.getElementById(SEARCH_ID);
  if (!(search instanceof HTMLInputElement)) return;
  search.focus();
  search.select();
};

/** Newest first; while one of them lives the list asks again by itself. */
export function RunList({ workspace, cursor, filter, initial, mayDelete, empty }: RunListProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const { data, error, refetch } = useQuery(
    trpc.run.list.queryOptions(
      { workspace, cursor, limit: 30, filter },
      {
        initialData: initial,
        refetchInterval: (query) => (query.state.data?.runs.every(hasEnded) ? 30_000 : 3000),
      },
    ),
  );
  const deleting = useDeleteRuns(workspace);
  const runs = data.runs.filter((run) => !deleting.hidden.includes(run.run_id));
  const [picked, setPicked] = usePickedRuns(workspace);
  // As the list has them now; those of other pages as they were.
  const here = new Map(data.runs.map((run) => [run.run_id, pickedOf(run)]));
  const ticked = picked.map((run) => here.get(run.run_id) ?? run);
  const elsewhere = ticked.filter((run) => !here.has(run.run_id)).length;
  const isTicked = (run: RunListItem) => picked.some((each) => each.run_id === run.run_id);
  const canTick = (run: RunListItem) =>
    picked.length < MOST_COMPARED && (run.trials.done > 0 || (mayDelete && hasEnded(run)));
  const toggle = (run: RunListItem) => {
    if (isTicked(run)) setPicked(picked.filter((each) => each.run_id !== run.run_id));
    else if (canTick(run)) setPicked([...picked, pickedOf(run)]);
  };
  // With those that have no results yet: the page says so of them.
  const compare = ticked.some((run) => run.measured)
    ? comparePath(workspace, { runIds: ticked.map((run) => run.run_id) })
    : null;

  const list = useRef<HTMLUListElement>(null);
  const [helping, setHelping] = useState(false);
  const [keysOn, setKeysOn] = useKeysOn();
  useListKeys(
    {
      "/": focusSearch,
      j: () => moveInList(list.current, 1),
      k: () => moveInList(list.current, -1),
      x: () => {
        const run = runs.find((each) => each.run_id === focusedRun(list.current));
        if (run) toggle(run);
      },
      c: () => compare && router.push(compare),
      "?": () => setHelping(true),
    },
    keysOn,
  );

  return (
    <>
      {error && <Problem message={error.message} retry={() => refetch()} className="mb-4" />}
      {deleting.error && <Problem message={deleting.error} className="mb-4" />}
      {runs.length > 0 ? (
        <ul ref={list} aria-label="Runs" className="panel divide-y divide-line">
          {runs.map((run) => (
            <RunRow
              key={run.run_id}
              workspace={workspace}
              run={run}
              ticked={isTicked(run)}
              canTick={canTick(run)}
              onTick={() => toggle(run)}
            />
          ))}
        </ul>
      ) : initial.runs.length === 0 && cursor === null ? (
        empty
      ) : (
        <p className="panel px-4 py-3 text-ink-2">
          No run is left here.{" "}
          <Link className="link" href={runsPath(workspace, {})}>
            Show all runs
          </Link>
        </p>
      )}
      {ticked.length > 0 && (
        <TickedBar
          ticked={ticked.length}
          elsewhere={elsewhere}
          compare={compare}
          clear={() => setPicked([])}
          remove={
            // Nobody deletes what is out of sight.
            mayDelete && elsewhere === 0 && ticked.every((run) => run.ended)
              ? () => {
                  deleting.remove(ticked.map((run) => run.run_id));
                  setPicked([]);
                }
              : null
          }
        />
      )}
      {ticked.length === 0 && deleting.deleted.length > 0 && (
        <UndoBar
          runs={deleting.deleted.length}
          busy={deleting.restoring}
          undo={() => deleting.restore(deleting.deleted)}
          bar={deleting.bar}
        />
      )}
      <div className="no-print mt-4 flex flex-wrap gap-2">
        <PageLinks
          label="Pages of runs"
          what="runs"
          cursor={cursor}
          next={data.next_cursor}
          path={(page) => runsPath(workspace, filter, page)}
        />
        {runs.length > 0 && (
          <button
            type="button"
            className="btn ml-auto [@media(pointer:coarse)]:hidden"
            data-kind="quiet"
            data-size="small"
            aria-haspopup="dialog"
            aria-keyshortcuts="?"
            onClick={() => setHelping(true)}
          >
            Keyboard shortcuts
          </button>
        )}
      </div>
      <KeysDialog open={helping} onOpenChange={setHelping} on={keysOn} setOn={setKeysOn} />
    </>
  );
}
