"use client";

import type { MemberList as Members, MemberView, Role } from "@rigmark/results";
import { ROLE_WORDS, ROLES } from "@rigmark/results/choices";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { plainLine } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { Confirm } from "../ui/confirm";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";

/** Who belongs to the workspace, with what they may do. */
export function MemberList({ workspace, initial }: { workspace: string; initial: Members }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const query = trpc.member.list.queryOptions({ workspace }, { initialData: initial });
  const { data, error, refetch } = useQuery(query);
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
      {error && <Problem message={error.message} retry={() => refetch()} />}
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
              <RoleChoice
                member={member}
                roles={data.may_give}
                busy={change.isPending}
                change={(role) => change.mutateAsync({ workspace, userId: member.user_id, role })}
              />
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

interface RoleChoiceProps {
  member: MemberView;
  roles: readonly Role[];
  busy: boolean;
  change: (role: Role) => Promise<unknown>;
}

/** An arrow key or the wheel picks a role; only the button gives it. */
function RoleChoice({ member, roles, busy, change }: RoleChoiceProps) {
  const select = useRef<HTMLSelectElement>(null);
  const [picked, setPicked] = useState<Role | null>(null);
  const role = picked ?? member.role;
  const name = plainLine(member.name);
  const give = async () => {
    // The button goes away once the role is given.
    select.current?.focus();
    try {
      await change(role);
      setPicked((now) => (now === role ? null : now));
    } catch {
      // The list says what was refused.
    }
  };
  return (
    <div className="space-y-2">
      <select
        ref={select}
        className="input"
        aria-label={`Role of ${name}`}
        value={role}
        onChange={({ target }) => setPicked(roles.find((each) => each === target.value) ?? null)}
      >
        {roles.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      {role !== member.role && (
        <button type="button" className="btn" data-size="small" disabled={busy} onClick={give}>
          Change role<span className="sr-only"> of {name}</span>
        </button>
      )}
    </div>
  );
}

function End({ member, run }: { member: MemberView; run: () => Promise<unknown> }) {
  return (
    <Confirm
      trigger={member.you ? "Leave" : "Remove"}
      of={member.you ? undefined : plainLine(member.name)}
      size="small"
      title={member.you ? "Leave this workspace?" : "Remove this member?"}
      action={member.you ? "Leave" : "Remove"}
      keep={member.you ? "Stay" : "Keep them"}
      run={run}
    >
      {member.you
        ? "You lose access at once. What you created stays, but tokens of this workspace that you created are revoked. You need an invitation to come back."
        : "They lose access within seconds, even on open pages. What they created stays, but tokens of this workspace that they created are revoked; give programs that use one a new token."}
    </Confirm>
  );
}
