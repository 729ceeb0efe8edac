"use client";

import type { TokenList as Tokens, TokenView } from "@rigmark/results";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { plainLine } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { useTRPC } from "@/trpc/client";
import { Confirm } from "../ui/confirm";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";

interface TokenListProps {
  /** Null: the person's own. */
  workspace: string | null;
  initial: Tokens;
}

/** Those that work first. */
export function TokenList({ workspace, initial }: TokenListProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const query = trpc.token.list.queryOptions({ workspace }, { initialData: initial });
  const { data, error, refetch } = useQuery(query);
  const revoke = useMutation(
    trpc.token.revoke.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: query.queryKey }),
    }),
  );
  if (data.tokens.length === 0)
    return (
      <Empty title="No tokens yet">
        A token lets a program use the API: queue runs from CI, wait for them, and read the results. Give each
        program its own token, with only the scopes it needs.
      </Empty>
    );
  return (
    <>
      {error && <Problem message={error.message} retry={() => refetch()} className="mb-4" />}
      <ul className="panel divide-y divide-line">
        {data.tokens.map((token) => (
          <TokenRow
            key={token.token_id}
            token={token}
            creator={workspace !== null}
            revoke={
              data.may_change && !token.revoked_at && !token.expired
                ? () => revoke.mutateAsync({ workspace, tokenId: token.token_id })
                : null
            }
          />
        ))}
      </ul>
    </>
  );
}

interface TokenRowProps {
  token: TokenView;
  /** Whether to say who made it. */
  creator: boolean;
  revoke: (() => Promise<unknown>) | null;
}

function TokenRow({ token, creator, revoke }: TokenRowProps) {
  const works = !token.revoked_at && !token.expired;
  const name = plainLine(token.name);
  return (
    <li className="grid items-start justify-items-start gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className={works ? "font-medium" : "font-medium text-ink-2"}>
          <bdi>{name}</bdi> <code className="font-normal text-[0.857rem] text-ink-2">{token.prefix}…</code>
        </p>
        <p className="text-[0.929rem] text-ink-2">
          {token.scopes.join(", ")}
          {token.workspace && (
            <>
              {" "}
              in <bdi>{plainLine(token.workspace.name)}</bdi>
            </>
          )}
          {" · "}
          <Life token={token} />
        </p>
        <p className="text-[0.929rem] text-ink-2">
          {token.last_used_at ? (
            <>
              last used <TimeAgo at={token.last_used_at} />
            </>
          ) : (
            "never used"
          )}
          , created <TimeAgo at={token.created_at} />
          {creator && token.created_by && (
            <>
              {" "}
              by <bdi>{plainLine(token.created_by)}</bdi>
            </>
          )}
        </p>
      </div>
      {revoke && (
        <div>
          <Confirm
            trigger="Revoke"
            of={name}
            size="small"
            title="Revoke this token?"
            action="Revoke"
            keep="Keep it"
            run={revoke}
          >
            Programs that use it are refused at their next request. This cannot be undone; runs and reports
            stay.
          </Confirm>
        </div>
      )}
    </li>
  );
}

function Life({ token }: { token: TokenView }) {
  if (token.revoked_at)
    return (
      <span className="text-bad">
        revoked <TimeAgo at={token.revoked_at} />
      </span>
    );
  if (token.expires_at === null) return <>never expires</>;
  const day = `${formatMoment(token.expires_at).split(",")[0]} UTC`;
  return token.expired ? <span className="text-bad">expired on {day}</span> : <>expires on {day}</>;
}
