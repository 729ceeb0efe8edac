"use client";

import type { SessionList as Sessions } from "@rigmark/results";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { browserInWords } from "@/lib/browser-words";
import { plainLine } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";

/** Where the person is signed in; each but this one can be ended here. */
export function SessionList({ initial }: { initial: Sessions }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const query = trpc.account.sessions.queryOptions(undefined, { initialData: initial });
  const { data } = useQuery(query);
  const end = useMutation(
    trpc.account.endSessions.mutationOptions({
      onSettled: () => queries.invalidateQueries({ queryKey: query.queryKey }),
    }),
  );
  return (
    <div className="space-y-3">
      {end.error && <Problem message={end.error.message} />}
      <ul className="panel divide-y divide-line">
        {data.sessions.map((session) => (
          <li
            key={session.session_id}
            className="grid items-center justify-items-start gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto]"
          >
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p>
                <bdi title={session.agent ? plainLine(session.agent) : undefined}>
                  {browserInWords(session.agent)}
                </bdi>
                {session.current && <span className="text-ink-2"> (this one)</span>}
              </p>
              <p className="text-[0.929rem] text-ink-2">
                signed in <TimeAgo at={session.created_at} />
                {session.address && (
                  <>
                    {" "}
                    from <bdi>{plainLine(session.address)}</bdi>
                  </>
                )}
              </p>
            </div>
            {!session.current && (
              <button
                type="button"
                className="btn"
                data-size="small"
                disabled={end.isPending}
                aria-label={`Sign out ${browserInWords(session.agent)}`}
                onClick={() => end.mutate({ sessionId: session.session_id })}
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
      {data.sessions.length > 1 && (
        <button
          type="button"
          className="btn"
          disabled={end.isPending}
          onClick={() => end.mutate({ sessionId: null })}
        >
          Sign out everywhere else
        </button>
      )}
    </div>
  );
}
