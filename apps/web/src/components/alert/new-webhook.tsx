"use client";

import type { WebhookCreated } from "@rigmark/results";
import { MOST_URL } from "@rigmark/results/choices";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "@/trpc/client";
import { Command } from "../ui/command";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";
import { useAlertChange } from "./use-alert-change";

/** A button, the form behind it, and then the secret, once. */
export function NewWebhook({ workspace }: { workspace: string }) {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<WebhookCreated | null>(null);
  const close = (next: boolean) => {
    setOpen(next);
    if (!next) setMade(null);
  };
  return (
    <>
      <button type="button" className="btn" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        New webhook
      </button>
      <Dialog
        open={open}
        // A click beside it or Escape would lose the secret for good.
        onOpenChange={made ? () => undefined : close}
        title={made ? "Copy the secret now" : "New webhook"}
      >
        {made ? (
          <div className="mt-3 space-y-4">
            <p className="text-ink-2">
              It is shown only once. Your server uses it to{" "}
              <a className="link" href="/docs/alerts#verify-the-signature">
                check that a message comes from this app
              </a>
              .
            </p>
            <Command label="Secret" text={made.secret} />
            <div className="flex justify-end">
              <button type="button" className="btn" data-kind="primary" onClick={() => close(false)}>
                I have copied it
              </button>
            </div>
          </div>
        ) : (
          <WebhookForm workspace={workspace} onMade={setMade} cancel={() => close(false)} />
        )}
      </Dialog>
    </>
  );
}

interface WebhookFormProps {
  workspace: string;
  onMade: (made: WebhookCreated) => void;
  cancel: () => void;
}

function WebhookForm({ workspace, onMade, cancel }: WebhookFormProps) {
  const trpc = useTRPC();
  const change = useAlertChange(workspace);
  const [url, setUrl] = useState("");
  const create = useMutation(
    trpc.alert.createWebhook.mutationOptions({
      onSuccess: async (created) => {
        onMade(created);
        await change.onSuccess();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ workspace, url: url.trim() });
  };
  return (
    <form onSubmit={submit} className="mt-4 space-y-4">
      <Field
        label="Address"
        type="url"
        inputMode="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        required
        maxLength={MOST_URL}
        placeholder="https://example.org/hook"
        hint="Each alert is sent there as a POST. Your server has 10 s to respond."
      />
      {create.error && <Problem message={create.error.message} />}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={cancel}>
          Cancel
        </button>
        <button
          type="submit"
          className="btn"
          data-kind="primary"
          disabled={create.isPending || url.trim() === ""}
        >
          Create webhook
        </button>
      </div>
    </form>
  );
}
