"use client";

import type { MemberList as Members, MemberView } from "@rigmark/results";
import { ROLE_WORDS, ROLES } from "@rigmark/results/choices";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { plainLine } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { Confirm } from "../ui/confirm";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";

/** Who belongs to the workspace; roles are changed where they stand. */
export function MemberList({ workspace, initial }: { workspace: string; initial: Members }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const query = trpc.member.list.queryOptions({ workspace }, { initialData: initial });
  const { data } = useQuery(query);
  // Their open invitations may be revoked with it.
  const reload = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: query.queryKey }),
      queries.invalidateQueries({ queryKey: trpc.invitation.pathKey() }),
    ]);
  // What the page offers depends on the role, so the server draws it again.
  const change = useMutation(
    trpc.member.changeRole.mutationOptions({ onSettled: reload, onSuccess: () => router.refresh() }),
  );
  const remove = useMutation(trpc.member.remove.mutationOptions());
  const end = async (member: MemberView) => {
    await remove.mutateAsync({ workspace, userId: member.user_id });
    if (member.you) window.location.assign("/");
    else await reload();
  };
  return (
    <div className="space-y-3">
      {change.error && <Problem message={change.error.message} />}
      <ul className="panel divide-y divide-line">
        {data.members.map((member) => (
          <li
            key={member.user_id}
            className="grid items-center gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_9rem_7rem]"
          >
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p className="font-medium">
                <bdi>{plainLine(member.name)}</bdi>
                {member.you && <span className="font-normal text-ink-2"> (you)</span>}
              </p>
              <p className="text-[0.929rem] text-ink-2">
                {member.email && (
                  <>
                    <bdi>{member.email}</bdi>,{" "}
                  </>
                )}
                joined <TimeAgo at={member.joined_at} />
              </p>
            </div>
            {member.may_change ? (
              <select
                className="input"
                aria-label={`Role of ${plainLine(member.name)}`}
                value={member.role}
                disabled={change.isPending}
                onChange={({ target }) => {
                  const role = data.may_give.find((each) => each === target.value);
                  if (role) change.mutate({ workspace, userId: member.user_id, role });
                }}
              >
                {data.may_give.map((role) => (
                  <option key={role} value={role}>
                    {role}
                  </option>
                ))}
              </select>
            ) : (
              <span>{member.role}</span>
            )}
            <div className="md:text-right">
              {(member.you || member.may_change) && <End member={member} run={() => end(member)} />}
            </div>
          </li>
        ))}
      </ul>
      <dl className="grid gap-x-4 text-[0.929rem] text-ink-2 sm:grid-cols-[6rem_minmax(0,1fr)]">
        {ROLES.map((role) => (
          <div key={role} className="contents">
            <dt className="font-medium">{role}</dt>
            <dd>{ROLE_WORDS[role]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function End({ member, run }: { member: MemberView; run: () => Promise<unknown> }) {
  const name = plainLine(member.name);
  return (
    <Confirm
      trigger={member.you ? "Leave" : "Remove"}
      size="small"
      title={member.you ? "Leave this workspace?" : `Remove ${name}?`}
      action={member.you ? "Leave" : "Remove"}
      keep={member.you ? "Stay" : "Keep them"}
      run={run}
    >
      {member.you
        ? "You lose access at once. What you created stays. You need an invitation to come back."
        : "They lose access within seconds, even on open pages. What they created stays."}
    </Confirm>
  );
}
