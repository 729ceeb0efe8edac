"use client";

import type { NetworkAsked } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client";
import { Confirm } from "../ui/confirm";

interface CloseNetworkProps {
  workspace: string;
  publicUrl: string;
  onAsked: (asked: NetworkAsked) => void;
}

/** The way back. */
export function CloseNetwork({ workspace, publicUrl, onAsked }: CloseNetworkProps) {
  const trpc = useTRPC();
  const ask = useMutation(trpc.network.close.mutationOptions({ onSuccess: onAsked }));
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="min-w-[16rem] flex-1">
        <span className="font-medium">Other machines can reach the app</span>{" "}
        <span className="text-ink-2">
          at <code>{publicUrl}</code>.
        </span>
      </p>
      <Confirm
        trigger="Listen on this machine only"
        title="Listen on this machine only?"
        action="This machine only"
        keep="Leave it as it is"
        size="small"
        run={() => ask.mutateAsync({ workspace })}
      >
        The app restarts, which takes a few seconds. Hosts on other machines go offline and keep their results
        until they can reach the app again. Agent builds stop.
      </Confirm>
    </div>
  );
}
