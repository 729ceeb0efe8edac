"use client";

import type { InvitationList as Invitations, InvitationView } from "@rigmark/results";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { plainLine } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { useTRPC } from "@/trpc/client";
import { Confirm } from "../ui/confirm";
import { TimeAgo } from "../ui/time-ago";

/** The newest first, with what became of them. */
export function InvitationList({ workspace, initial }: { workspace: string; initial: Invitations }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const query = trpc.invitation.list.queryOptions({ workspace }, { initialData: initial });
  const { data } = useQuery(query);
  const revoke = useMutation(
    trpc.invitation.revoke.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: query.queryKey }),
    }),
  );
  if (data.invitations.length === 0) return <p className="text-ink-2">No invitations yet.</p>;
  return (
    <ul className="panel divide-y divide-line">
      {data.invitations.map((invitation) => (
        <li
          key={invitation.invitation_id}
          className="grid items-center justify-items-start gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_auto]"
        >
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <p>
              {invitation.email ? <bdi>{invitation.email}</bdi> : "Anyone with the link"}, as{" "}
              {invitation.role}
            </p>
            <p className="text-[0.929rem] text-ink-2">
              created <TimeAgo at={invitation.created_at} />
              {invitation.created_by && (
                <>
                  {" "}
                  by <bdi>{plainLine(invitation.created_by)}</bdi>
                </>
              )}
              {" · "}
              <State invitation={invitation} />
            </p>
          </div>
          {invitation.state === "waiting" && (
            <Confirm
              trigger="Revoke"
              of={`${invitation.email ?? "Anyone with the link"}, as ${invitation.role}`}
              size="small"
              title="Revoke this invitation?"
              action="Revoke"
              run={() => revoke.mutateAsync({ workspace, invitationId: invitation.invitation_id })}
            >
              Its link stops working at once. You can send a new invitation.
            </Confirm>
          )}
        </li>
      ))}
    </ul>
  );
}

function State({ invitation: { state, used_by, expires_at } }: { invitation: InvitationView }) {
  if (state === "waiting") return <>works until {formatMoment(expires_at)}</>;
  if (state === "used")
    return used_by ? (
      <>
        accepted by <bdi>{plainLine(used_by)}</bdi>
      </>
    ) : (
      <>accepted</>
    );
  return <span className="text-bad">{state}</span>;
}
