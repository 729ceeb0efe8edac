"use client";

import { Problem } from "../ui/problem";
import { ArchiveBuilds, isReady } from "./archive-builds";
import { CloseNetwork } from "./close-network";
import { OpenNetwork } from "./open-network";
import type { Network } from "./use-network";

interface NetworkAccessProps {
  workspace: string;
  network: Network;
  publicUrl: string;
}

/** Lets other machines reach the app and takes that back, for an owner at the machine of the app; for others, how far the agents are. */
export function NetworkAccess({ workspace, network, publicUrl }: NetworkAccessProps) {
  const { access, pending, onAsked } = network;
  const { may, addresses, last, archives, held } = access;
  if (pending === "overdue")
    return (
      <Problem message="./rig up has not made the change within 90 seconds; its terminal says why. Start it again, then reload this page." />
    );
  if (pending)
    return (
      <div className="panel flex items-center gap-x-3 px-4 py-3" role="status">
        <span className="lamp" data-on="live" aria-hidden="true" />
        <span className="font-medium">The app is restarting; this page updates by itself…</span>
      </div>
    );
  if (may === null && isReady(archives)) return null;
  return (
    <section className="panel space-y-3 px-4 py-3" aria-label="Network">
      {last?.problem && <Problem message={last.problem} />}
      {may === "open" && <OpenNetwork workspace={workspace} addresses={addresses} onAsked={onAsked} />}
      {may === "close" && <CloseNetwork workspace={workspace} publicUrl={publicUrl} onAsked={onAsked} />}
      {may !== "open" && archives.length > 0 && <ArchiveBuilds archives={archives} held={held} />}
    </section>
  );
}
