"use client";

import type { AlertSettings } from "@rigmark/results";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client";
import { Problem } from "../ui/problem";
import { DeliveryList } from "./delivery-list";
import { MailSwitch } from "./mail-switch";
import { WebhookList } from "./webhook-list";

interface AlertPageProps {
  workspace: string;
  initial: AlertSettings;
  /** Whether a mail server is set. */
  mails: boolean;
}

/** Who is told, and what became of the last messages. */
export function AlertPage({ workspace, initial, mails }: AlertPageProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.alert.get.queryOptions(
      { workspace },
      {
        initialData: initial,
        refetchInterval: (query) =>
          query.state.data?.deliveries.some((each) => each.state === "waiting") ? 3000 : 30_000,
      },
    ),
  );
  return (
    <div className="space-y-8">
      {error && <Problem message={error.message} retry={() => refetch()} />}
      <MailSwitch workspace={workspace} mail={data.mail} mails={mails} />
      <WebhookList workspace={workspace} webhooks={data.webhooks} mayChange={data.may_change} />
      <DeliveryList workspace={workspace} deliveries={data.deliveries} />
    </div>
  );
}
