"use client";

import type { NetworkAccess, NetworkAsked } from "@rigmark/results";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "@/trpc/client";

/** The launcher looks once a second, and the app starts again within some. */
const PATIENCE_MS = 90_000;

export interface Network {
  access: NetworkAccess;
  /** What was asked for is on its way, or nobody has done it. */
  pending: "waiting" | "overdue" | null;
  onAsked: (asked: NetworkAsked) => void;
}

/** Whether other machines reach the app, and how far the agents are. `onChanged`: it is another address now. */
export function useNetwork(workspace: string, initial: NetworkAccess, onChanged: () => void): Network {
  const trpc = useTRPC();
  const [asked, setAsked] = useState<{ id: string; overdue: boolean } | null>(null);
  const { data } = useQuery(
    trpc.network.get.queryOptions(
      { workspace },
      {
        initialData: initial,
        // The app is gone for a moment while it starts again.
        retry: false,
        refetchInterval: (query) => (asked ? 1000 : isBuilding(query.state.data) ? 3000 : false),
      },
    ),
  );
  const id = asked?.id;
  useEffect(() => {
    if (id === undefined) return;
    const timer = setTimeout(() => setAsked({ id, overdue: true }), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [id]);
  const { last } = data;
  useEffect(() => {
    if (id === undefined || last?.id !== id) return;
    setAsked(null);
    if (last.problem === null) onChanged();
  }, [id, last, onChanged]);
  return {
    access: data,
    pending: asked && (asked.overdue ? "overdue" : "waiting"),
    onAsked: ({ id }) => setAsked({ id, overdue: false }),
  };
}

export const isBuilding = (access: NetworkAccess | undefined): boolean =>
  access?.archives.some(({ state }) => state === "waiting" || state === "building") ?? false;
