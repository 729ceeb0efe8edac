"use client";

import type { DeviceView, Scope, TokenDays } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { plainLine } from "@/lib/text";
import { formatCountdown } from "@/lib/time";
import { useTRPC } from "@/trpc/client";
import { DaysChoice } from "../token/days-choice";
import { ScopeChoice } from "../token/scope-choice";
import { Facts } from "../ui/facts";
import { Problem } from "../ui/problem";
import { takeFocus } from "../ui/take-focus";
import { useNow } from "../ui/time-ago";

interface ApproveDeviceProps {
  initial: DeviceView;
  email: string;
  workspaces: { slug: string; name: string }[];
}

/** What a person decides on: which program asks, from where, and what it may do. */
export function ApproveDevice({ initial, email, workspaces }: ApproveDeviceProps) {
  const trpc = useTRPC();
  const [device, setDevice] = useState(initial);
  const [scopes, setScopes] = useState<Scope[]>(["queue", "publish"]);
  const [workspace, setWorkspace] = useState<string | null>(null);
  const [days, setDays] = useState<TokenDays>(90);
  const approve = useMutation(trpc.device.approve.mutationOptions({ onSuccess: setDevice }));
  const deny = useMutation(trpc.device.deny.mutationOptions({ onSuccess: setDevice }));
  const now = useNow(1000);
  const busy = approve.isPending || deny.isPending;
  const error = approve.error ?? deny.error;
  const { user_code: userCode } = device;
  return (
    <div className="space-y-5">
      <p className="panel px-4 py-3 text-center font-mono text-[1.5rem] tracking-[0.12em]">{userCode}</p>
      <Facts
        columns={1}
        rows={[
          ["Program", plainLine(device.client)],
          ["Its address", device.address],
          ["Your account", email],
        ]}
      />
      {device.state === "pending" ? (
        <>
          <Workspace value={workspace} onChange={setWorkspace} workspaces={workspaces} />
          <ScopeChoice value={scopes} onChange={setScopes} />
          <DaysChoice value={days} onChange={setDays} />
          {error && <Problem message={error.message} />}
          <div className="grid grid-cols-2 gap-2">
            <button type="button" className="btn" disabled={busy} onClick={() => deny.mutate({ userCode })}>
              Deny
            </button>
            <button
              type="button"
              className="btn"
              data-kind="primary"
              disabled={busy || scopes.length === 0}
              onClick={() => approve.mutate({ userCode, workspace, scopes, days })}
            >
              Approve
            </button>
          </div>
          <p className="text-[0.929rem] text-ink-2">
            {now === null
              ? "The code expires after ten minutes."
              : `The code expires in ${formatCountdown(device.expires_at, now)}.`}
          </p>
        </>
      ) : (
        <p
          // A page that was opened with this outcome leaves the focus where it is.
          ref={device === initial ? null : takeFocus}
          tabIndex={-1}
          className="note"
          role="status"
          data-tone={device.state === "expired" ? "warn" : undefined}
        >
          {OUTCOMES[device.state]}
        </p>
      )}
    </div>
  );
}

const OUTCOMES: Record<Exclude<DeviceView["state"], "pending">, string> = {
  approved: "Approved. The program continues within seconds; you can close this page.",
  collected: "Approved. The program has its token; you can close this page.",
  denied: "Denied. The program got no token.",
  expired: "This code has expired. Start again in the terminal.",
};

interface WorkspaceProps {
  value: string | null;
  onChange: (workspace: string | null) => void;
  workspaces: { slug: string; name: string }[];
}

function Workspace({ value, onChange, workspaces }: WorkspaceProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        Workspace
      </label>
      <select
        id={id}
        className="input"
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value || null)}
      >
        <option value="">all of your workspaces</option>
        {workspaces.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
