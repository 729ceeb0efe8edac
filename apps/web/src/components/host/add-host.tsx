"use client";

import type { EnrollmentCreated } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "@/trpc/client";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";
import { EnrollCommands } from "./enroll-commands";
import { WaitForHost } from "./wait-for-host";

/** A name, then the command, then the waiting. The key is shown once, so it lives in this page only. */
export function AddHost({ workspace, hasAgents }: { workspace: string; hasAgents: boolean }) {
  const trpc = useTRPC();
  const [enrollment, setEnrollment] = useState<EnrollmentCreated | null>(null);
  const [round, setRound] = useState(0);
  const create = useMutation(trpc.host.createEnrollment.mutationOptions({ onSuccess: setEnrollment }));
  const [name, setName] = useState("");
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setRound((r) => r + 1);
    create.mutate({ workspace, ...(name.trim() ? { name: name.trim() } : {}) });
  };
  if (!enrollment)
    return (
      <form onSubmit={submit} className="max-w-[30rem] space-y-4">
        <Field
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={80}
          placeholder="pi-4"
          hint="How the host is called here. Left empty, it takes its own hostname."
        />
        {create.error && <Problem message={create.error.message} />}
        <button type="submit" className="btn" data-kind="primary" disabled={create.isPending}>
          Show the command
        </button>
      </form>
    );
  return (
    <div className="space-y-6">
      <EnrollCommands enrollment={enrollment} hasAgents={hasAgents} />
      <WaitForHost
        key={round}
        workspace={workspace}
        enrollment={enrollment}
        renew={() => submit()}
        renewing={create.isPending}
      />
      {create.error && <Problem message={create.error.message} />}
    </div>
  );
}
