"use client";

import { runName } from "@rigmark/messages";
import { FINAL_STATES } from "@rigmark/protocol/run-states";
import type { RunListItem, RunView } from "@rigmark/results";
import { MOST_IN_REPORT } from "@rigmark/results/comparable";
import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { found, mostAlikeFirst } from "@/lib/alike";
import { nameOf } from "@/lib/run-name";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { useTRPC } from "@/trpc/client";
import { Compared } from "../result/environment-differences";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";

interface ShareBesideProps {
  workspace: string;
  run: RunView;
  /** In the order in which they were chosen: that of the report. */
  chosen: readonly RunListItem[];
  onChange: (chosen: RunListItem[]) => void;
}

/** Other finished runs for the same report, the most alike first, and whether they are comparable with this one. */
export function ShareBeside({ workspace, run, chosen, onChange }: ShareBesideProps) {
  const trpc = useTRPC();
  const w = useWords();
  const [search, setSearch] = useState("");
  const pages = useInfiniteQuery(
    trpc.run.list.infiniteQueryOptions(
      { workspace, limit: 100 },
      { getNextPageParam: (page) => page.next_cursor },
    ),
  );
  const finished = (pages.data?.pages ?? [])
    .flatMap((page) => page.runs)
    .filter((r) => r.run_id !== run.run_id && FINAL_STATES.includes(r.state) && r.trials.done > 0);
  const shown = mostAlikeFirst(finished, {
    hostId: run.host.host_id,
    scenarios: run.spec.scenarios,
    servers: run.spec.entries.map((e) => e.server),
  }).filter((r) => found(r, search));
  const full = chosen.length + 1 >= MOST_IN_REPORT;
  const toggle = (item: RunListItem) => {
    const rest = chosen.filter((c) => c.run_id !== item.run_id);
    onChange(rest.length < chosen.length ? rest : [...chosen, item]);
  };
  return (
    <div className="space-y-3">
      <Field
        label="Search the finished runs"
        type="search"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        placeholder="name, host, server or scenario"
      />
      {pages.error && <Problem message={pages.error.message} retry={() => pages.refetch()} />}
      {pages.isPending && <p className="text-ink-2">Looking for finished runs…</p>}
      {pages.data && shown.length === 0 && (
        <p className="text-ink-2">
          {finished.length === 0 ? "There is no other finished run." : "No finished run matches these words."}
        </p>
      )}
      <ul className="panel max-h-60 divide-y divide-line overflow-y-auto empty:hidden">
        {shown.map((item) => {
          const place = chosen.findIndex((c) => c.run_id === item.run_id);
          return (
            <li key={item.run_id}>
              <label
                className={`flex gap-3 px-3 py-2 ${place < 0 && full ? "cursor-not-allowed text-ink-3" : "cursor-pointer"}`}
              >
                <input
                  type="checkbox"
                  className="mt-0.5"
                  checked={place >= 0}
                  disabled={place < 0 && full}
                  onChange={() => toggle(item)}
                />
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                  <bdi className="font-medium">{nameOf(item)}</bdi>
                  {place >= 0 && <span className="text-ink-2"> · {runName(w, place + 1)}</span>}
                  <span className="block text-[0.929rem] text-ink-2">
                    <bdi>{plainLine(item.host.name)}</bdi> · {item.scenarios.join(", ")} ·{" "}
                    <TimeAgo at={item.finished_at ?? item.created_at} />
                  </span>
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      {pages.hasNextPage && (
        <button
          type="button"
          className="btn"
          data-size="small"
          disabled={pages.isFetchingNextPage}
          onClick={() => pages.fetchNextPage()}
        >
          Search older runs
        </button>
      )}
      {full && <p className="note">A report holds at most {MOST_IN_REPORT} runs.</p>}
      <Comparisons workspace={workspace} run={run} chosen={chosen} />
    </div>
  );
}

/** What makes the report must stay in reach. */
const SHOWN = 3;

/** Said before the report is made: what is not the same of this run and each of the others. */
function Comparisons({ workspace, run, chosen }: Omit<ShareBesideProps, "onChange">) {
  const trpc = useTRPC();
  const w = useWords();
  const others = useQueries({
    queries: chosen.map((item) =>
      trpc.run.get.queryOptions({ workspace, runId: item.run_id }, { staleTime: Number.POSITIVE_INFINITY }),
    ),
  });
  return (
    <div className="space-y-3" data-comparisons aria-live="polite">
      {chosen.map((item, i) => {
        const other = others[i];
        if (other?.error) return <Problem key={item.run_id} message={other.error.message} />;
        if (!other?.data)
          return (
            <p key={item.run_id} className="note">
              Reading the environment of {runName(w, i + 1)}…
            </p>
          );
        return (
          <Compared
            key={item.run_id}
            a={{ place: null, environment: run.environment }}
            b={{ place: i + 1, environment: other.data.environment }}
            shown={SHOWN}
          />
        );
      })}
    </div>
  );
}
