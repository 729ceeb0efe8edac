"use client";

import type { NetworkAccess as Access, EnrollmentCreated } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useCallback, useState } from "react";
import { useTRPC } from "@/trpc/client";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";
import { EnrollCommands } from "./enroll-commands";
import { NetworkAccess } from "./network-access";
import { isBuilding, useNetwork } from "./use-network";
import { WaitForHost } from "./wait-for-host";

interface AddHostProps {
  workspace: string;
  hasAgents: boolean;
  network: Access;
  /** What links are made of. */
  publicUrl: string;
  /** The report's run that its reader wants to repeat on the host, `SLUG.1`. */
  report: string | null;
}

/** A name, then the command, then the waiting. The key is shown once, so it lives in this page only. */
export function AddHost({ workspace, hasAgents, network: initial, publicUrl, report }: AddHostProps) {
  const trpc = useTRPC();
  const [enrollment, setEnrollment] = useState<EnrollmentCreated | null>(null);
  const [round, setRound] = useState(0);
  const create = useMutation(trpc.host.createEnrollment.mutationOptions({ onSuccess: setEnrollment }));
  const [name, setName] = useState("");
  const router = useRouter();
  // A command that is shown has the old address.
  const onChanged = useCallback(() => {
    setEnrollment(null);
    router.refresh();
  }, [router]);
  const network = useNetwork(workspace, initial, onChanged);
  const { archives } = network.access;
  const access = <NetworkAccess workspace={workspace} network={network} publicUrl={publicUrl} />;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setRound((r) => r + 1);
    create.mutate({ workspace, ...(name.trim() ? { name: name.trim() } : {}) });
  };
  if (!enrollment)
    return (
      <div className="space-y-6">
        {access}
        <form onSubmit={submit} className="max-w-[30rem] space-y-4">
          <Field
            label="Name"
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={80}
            placeholder="pi-4"
            hint="The host's name in this app. Leave it empty to use its hostname."
          />
          {create.error && <Problem message={create.error.message} />}
          <button type="submit" className="btn" data-kind="primary" disabled={create.isPending}>
            Show the command
          </button>
        </form>
      </div>
    );
  return (
    <div className="space-y-6">
      {access}
      <EnrollCommands
        enrollment={enrollment}
        hasAgents={hasAgents || archives.some(({ state }) => state === "ready")}
        building={isBuilding(network.access)}
        canOpen={network.access.may === "open"}
      />
      <WaitForHost
        key={round}
        workspace={workspace}
        report={report}
        enrollment={enrollment}
        renew={() => submit()}
        renewing={create.isPending}
      />
      {create.error && <Problem message={create.error.message} />}
    </div>
  );
}
