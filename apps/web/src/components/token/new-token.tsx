"use client";

import type { Scope, TokenCreated, TokenDays } from "@rigmark/results";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "@/trpc/client";
import { Command } from "../ui/command";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";
import { DaysChoice } from "./days-choice";
import { ScopeChoice } from "./scope-choice";

interface NewTokenProps {
  /** Null: the person's own. */
  workspace: string | null;
  /** Origin of this app, for the command. */
  publicUrl: string;
}

/** A button, the form behind it, and then the token, once. */
export function NewToken({ workspace, publicUrl }: NewTokenProps) {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<TokenCreated | null>(null);
  const close = (next: boolean) => {
    setOpen(next);
    if (!next) setMade(null);
  };
  return (
    <>
      <button type="button" className="btn" data-kind="primary" onClick={() => setOpen(true)}>
        New token
      </button>
      <Dialog
        open={open}
        // A click beside it or Escape would lose the token for good.
        onOpenChange={made ? () => undefined : close}
        title={made ? "Copy the token now" : "New token"}
      >
        {made ? (
          <MadeToken made={made} publicUrl={publicUrl} done={() => close(false)} />
        ) : (
          <TokenForm workspace={workspace} onMade={setMade} cancel={() => close(false)} />
        )}
      </Dialog>
    </>
  );
}

interface TokenFormProps {
  workspace: string | null;
  onMade: (made: TokenCreated) => void;
  cancel: () => void;
}

function TokenForm({ workspace, onMade, cancel }: TokenFormProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<Scope[]>(["read"]);
  const [days, setDays] = useState<TokenDays>(90);
  const create = useMutation(
    trpc.token.create.mutationOptions({
      onSuccess: async (created) => {
        onMade(created);
        await queries.invalidateQueries({ queryKey: trpc.token.list.queryKey({ workspace }) });
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ workspace, name: name.trim(), scopes, days });
  };
  return (
    <form onSubmit={submit} className="mt-4 space-y-4">
      <Field
        label="Name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        required
        maxLength={80}
        placeholder="Where it is used, such as CI"
      />
      <ScopeChoice value={scopes} onChange={setScopes} />
      <DaysChoice value={days} onChange={setDays} />
      {create.error && <Problem message={create.error.message} />}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={cancel}>
          Cancel
        </button>
        <button
          type="submit"
          className="btn"
          data-kind="primary"
          disabled={create.isPending || !name.trim() || scopes.length === 0}
        >
          Create token
        </button>
      </div>
    </form>
  );
}

interface MadeTokenProps {
  made: TokenCreated;
  publicUrl: string;
  done: () => void;
}

function MadeToken({ made, publicUrl, done }: MadeTokenProps) {
  return (
    <div className="mt-3 space-y-4">
      <p className="text-ink-2">
        It is shown only now: Rigmark stores only its hash. If you lose it, create a new one.
      </p>
      <Command label="Token" text={made.token} />
      <div className="space-y-1">
        <p className="text-ink-2">
          In a terminal, run this and paste the token. In CI, set it as <code>RIGMARK_TOKEN</code>, and{" "}
          <code>RIGMARK_URL</code> to this app's address.
        </p>
        <Command label="Command" text={`rigmark login --url ${publicUrl} --token -`} />
      </div>
      <div className="flex justify-end">
        <button type="button" className="btn" data-kind="primary" onClick={done}>
          I have copied it
        </button>
      </div>
    </div>
  );
}
