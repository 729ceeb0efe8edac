"use client";

import type { InvitationCreated, InvitedRole, Role } from "@rigmark/results";
import { ROLE_WORDS } from "@rigmark/results/choices";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "@/trpc/client";
import { PrivateAddress } from "../report/private-address";
import { Choice } from "../ui/choice";
import { Command } from "../ui/command";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";

interface InviteProps {
  workspace: string;
  /** The roles that whoever asks may give. */
  roles: readonly Role[];
  /** Whether there is a mail server. */
  mails: boolean;
}

/** A button, the form behind it, and then the link, once. */
export function Invite({ workspace, roles, mails }: InviteProps) {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<InvitationCreated | null>(null);
  const close = (next: boolean) => {
    setOpen(next);
    if (!next) setMade(null);
  };
  return (
    <>
      <button type="button" className="btn" data-kind="primary" onClick={() => setOpen(true)}>
        Invite
      </button>
      <Dialog
        open={open}
        // A click beside it or Escape would lose the link for good.
        onOpenChange={made?.url ? () => undefined : close}
        title={made ? "Invited" : "Invite somebody"}
      >
        {made ? (
          <Made made={made} done={() => close(false)} />
        ) : (
          <InviteForm
            workspace={workspace}
            roles={roles}
            mails={mails}
            onMade={setMade}
            cancel={() => close(false)}
          />
        )}
      </Dialog>
    </>
  );
}

interface InviteFormProps extends InviteProps {
  onMade: (made: InvitationCreated) => void;
  cancel: () => void;
}

function InviteForm({ workspace, roles, mails, onMade, cancel }: InviteFormProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [role, setRole] = useState<InvitedRole>("member");
  const [email, setEmail] = useState("");
  const create = useMutation(
    trpc.invitation.create.mutationOptions({
      onSuccess: async (created) => {
        onMade(created);
        await queries.invalidateQueries({ queryKey: trpc.invitation.list.queryKey({ workspace }) });
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ workspace, role, email: email.trim() || null });
  };
  const options = roles.flatMap((each) =>
    each === "owner" ? [] : [{ value: each, label: each, note: ROLE_WORDS[each] }],
  );
  return (
    <form onSubmit={submit} className="mt-4 space-y-4">
      <Field
        label="Email (optional)"
        type="email"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        hint={
          mails
            ? "If you enter an address, the link is sent there, and only an account with that address can accept it."
            : "If you enter an address, only an account with that address can accept the link."
        }
      />
      <Choice legend="Role" value={role} onChange={setRole} options={options} />
      {create.error && <Problem message={create.error.message} />}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={cancel}>
          Cancel
        </button>
        <button type="submit" className="btn" data-kind="primary" disabled={create.isPending}>
          {mails && email.trim() ? "Send invitation" : "Create link"}
        </button>
      </div>
    </form>
  );
}

function Made({ made, done }: { made: InvitationCreated; done: () => void }) {
  return (
    <div className="mt-3 space-y-4">
      {made.url ? (
        <>
          <p className="text-ink-2">
            Send this link to {made.email ? <bdi>{made.email}</bdi> : "the person you invite"}. It is shown
            only now. It works once, within seven days.
          </p>
          <Command label="Link" text={made.url} />
          {made.public_url_is_private && <PrivateAddress />}
        </>
      ) : (
        <p role="status">
          An email is on its way to <bdi className="font-medium">{made.email}</bdi>. The link in it works
          once, within seven days.
        </p>
      )}
      <div className="flex justify-end">
        <button type="button" className="btn" data-kind="primary" onClick={done}>
          {made.url ? "I have copied it" : "Done"}
        </button>
      </div>
    </div>
  );
}
