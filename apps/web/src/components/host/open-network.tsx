"use client";

import type { NetworkAsked, OwnAddress, ReleaseTarget } from "@rigmark/results";
import { RELEASE_TARGETS } from "@rigmark/results/choices";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "@/trpc/client";
import { Choice } from "../ui/choice";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/problem";
import { TARGET_NAMES } from "./release-targets";

interface OpenNetworkProps {
  workspace: string;
  /** The likeliest first. */
  addresses: readonly OwnAddress[];
  onAsked: (asked: NetworkAsked) => void;
}

/** A button, and behind it what will happen, before anything does. */
export function OpenNetwork({ workspace, addresses, onAsked }: OpenNetworkProps) {
  const [open, setOpen] = useState(false);
  const none = addresses.length === 0;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-[16rem] flex-1">
          <span className="font-medium">Only this machine can reach the app.</span>{" "}
          <span className="text-ink-2">
            {none
              ? "To add another machine, connect this one to a network first; it has no private address."
              : "Before you add another machine, such as a Raspberry Pi, make the app listen on the network."}
          </span>
        </p>
        {!none && (
          <button type="button" className="btn" onClick={() => setOpen(true)}>
            Let other machines reach the app
          </button>
        )}
      </div>
      <Dialog open={open} onOpenChange={setOpen} title="Let other machines reach the app">
        <OpenForm
          workspace={workspace}
          addresses={addresses}
          onAsked={onAsked}
          cancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}

function OpenForm({ workspace, addresses, onAsked, cancel }: OpenNetworkProps & { cancel: () => void }) {
  const trpc = useTRPC();
  const [address, setAddress] = useState(addresses[0]?.address ?? "");
  const [first, setFirst] = useState<ReleaseTarget>("aarch64-unknown-linux-musl");
  const ask = useMutation(trpc.network.open.mutationOptions({ onSuccess: onAsked }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate({ workspace, address, first });
  };
  return (
    <form onSubmit={submit} className="mt-3 space-y-4">
      <ol className="list-decimal space-y-1.5 pl-5 text-ink-2">
        <li>The app restarts within a few seconds, and listens on all addresses of this machine.</li>
        <li>Links, and the command for a new host, use the address that you choose here.</li>
        <li>
          The agents that hosts download are built in the background; the builds pause while this machine
          measures. The first time, each takes about ten minutes on two cores, and missing compilers are
          installed.
        </li>
      </ol>
      <Choice
        legend="Address"
        value={address}
        onChange={setAddress}
        options={addresses.map((own) => ({ value: own.address, label: own.address, note: own.interface }))}
      />
      <Choice
        legend="Build first, for"
        value={first}
        onChange={setFirst}
        options={RELEASE_TARGETS.map((value) => ({ value, label: TARGET_NAMES[value] }))}
      />
      <ul className="space-y-1.5 text-ink-2">
        <li>
          Who can sign up does not change. Anyone on these networks can open the front page with the first
          report, the sign-in page, and other reports if they have the links.
        </li>
        <li>
          There is no TLS, so the command has <code>--allow-http</code>: whoever controls the network between
          the two machines can read the key and change what is installed. Do this only on a network that you
          trust.
        </li>
        <li>
          This setting survives a restart of <code>./rig up</code>, as long as this machine has the address,
          until you undo it on this page. If this machine has a firewall, open the app&rsquo;s port in it.
        </li>
      </ul>
      {ask.error && <Problem message={ask.error.message} />}
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn" onClick={cancel}>
          Cancel
        </button>
        <button type="submit" className="btn" data-kind="primary" disabled={ask.isPending || !address}>
          Listen on the network
        </button>
      </div>
    </form>
  );
}
