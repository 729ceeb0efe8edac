"use client";

import type { AlertSettings } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client";
import { Problem } from "../ui/problem";
import { useAlertChange } from "./use-alert-change";

interface MailSwitchProps {
  workspace: string;
  mail: AlertSettings["mail"];
  /** Whether a mail server is set. */
  mails: boolean;
}

/** Each member decides for themselves. */
export function MailSwitch({ workspace, mail, mails }: MailSwitchProps) {
  const trpc = useTRPC();
  const change = useAlertChange(workspace);
  const set = useMutation(trpc.alert.setMail.mutationOptions(change));
  const test = useMutation(trpc.alert.testMail.mutationOptions(change));
  const error = set.error ?? test.error;
  return (
    <section className="space-y-3">
      <h2>Alerts by email</h2>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <label className="flex min-w-0 cursor-pointer items-center gap-3 [overflow-wrap:anywhere]">
          <input
            type="checkbox"
            checked={set.isPending ? set.variables.on : mail.on}
            disabled={set.isPending}
            onChange={(event) => set.mutate({ workspace, on: event.target.checked })}
          />
          Send alerts to {mail.address}
        </label>
        <button
          type="button"
          className="btn"
          data-size="small"
          disabled={test.isPending}
          onClick={() => test.mutate({ workspace })}
        >
          Send a test<span className="sr-only"> by email</span>
        </button>
      </div>
      {!mails && (
        <p className="note">
          No mail server is set up here. The app writes emails to files; its log names them.
        </p>
      )}
      {error && <Problem message={error.message} />}
    </section>
  );
}
