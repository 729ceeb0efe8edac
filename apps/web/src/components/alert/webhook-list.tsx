"use client";

import type { WebhookView } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { plainLine } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { Confirm } from "../ui/confirm";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";
import { NewWebhook } from "./new-webhook";
import { useAlertChange } from "./use-alert-change";

interface WebhookListProps {
  workspace: string;
  webhooks: readonly WebhookView[];
  /** Admins and owners. */
  mayChange: boolean;
}

/** Addresses that get each alert. */
export function WebhookList({ workspace, webhooks, mayChange }: WebhookListProps) {
  const trpc = useTRPC();
  const change = useAlertChange(workspace);
  const test = useMutation(trpc.alert.testWebhook.mutationOptions(change));
  const remove = useMutation(trpc.alert.deleteWebhook.mutationOptions(change));
  return (
    <section className="space-y-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <h2 className="mr-auto">Webhooks</h2>
        {mayChange && <NewWebhook workspace={workspace} />}
      </div>
      <p className="max-w-[70ch] text-ink-2">
        A webhook is an address that gets each alert of this workspace as signed JSON.
        {!mayChange && " Only admins and owners can add or delete webhooks."}
      </p>
      {test.error && <Problem message={test.error.message} />}
      {webhooks.length > 0 && (
        <ul className="panel divide-y divide-line" aria-label="Webhooks">
          {webhooks.map(({ webhook_id: webhookId, url, created_by, created_at }) => (
            <li
              key={webhookId}
              className="grid items-start gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_auto]"
            >
              <div className="min-w-0 [overflow-wrap:anywhere]">
                <p className="font-medium">{plainLine(url)}</p>
                <p className="text-[0.929rem] text-ink-2">
                  created <TimeAgo at={created_at} />
                  {created_by && (
                    <>
                      {" "}
                      by <bdi>{plainLine(created_by)}</bdi>
                    </>
                  )}
                </p>
              </div>
              {mayChange && (
                <div className="flex flex-wrap gap-2">
                  <button
                    type="button"
                    className="btn"
                    data-size="small"
                    disabled={test.isPending}
                    onClick={() => test.mutate({ workspace, webhookId })}
                  >
                    Send a test<span className="sr-only"> to {plainLine(url)}</span>
                  </button>
                  <Confirm
                    trigger="Delete"
                    of={plainLine(url)}
                    size="small"
                    title="Delete this webhook?"
                    action="Delete"
                    run={() => remove.mutateAsync({ workspace, webhookId })}
                  >
                    No more messages are sent to it, and its secret is deleted.
                  </Confirm>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
