"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTRPC } from "@/trpc/client";

/** How long a list offers to take a deletion back; longer while the focus is on the offer. */
const UNDO_MS = 10_000;

/** Deleting runs from a list, and taking it back. Rows go at once; they come back where the app refuses. */
export function useDeleteRuns(workspace: string) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  /** Until the list was read again. */
  const [hidden, setHidden] = useState<readonly string[]>([]);
  /** Deleted last. */
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  /** False where the lists could not be read again. */
  const refresh = () =>
    queries.invalidateQueries({ queryKey: trpc.run.pathKey() }, { throwOnError: true }).then(
      () => true,
      () => false,
    );
  const show = (runIds: readonly string[]) =>
    setHidden((now) => now.filter((runId) => !runIds.includes(runId)));

  const remove = useMutation(
    trpc.run.delete.mutationOptions({
      onMutate: ({ runIds }) => setHidden((now) => [...now, ...runIds]),
      onError: (_, { runIds }) => show(runIds),
      onSuccess: async (_, { runIds }) => {
        setDeleted(runIds);
        if (await refresh()) show(runIds);
      },
    }),
  );
  const restore = useMutation(
    trpc.run.restore.mutationOptions({
      onSuccess: async (_, { runIds }) => {
        setDeleted([]);
        await refresh();
        show(runIds);
      },
    }),
  );

  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    if (deleted.length === 0) return;
    const until = Date.now() + UNDO_MS;
    const timer = setInterval(() => {
      // Whoever is on the button would be thrown off it.
      if (Date.now() >= until && !bar.current?.contains(document.activeElement)) setDeleted([]);
    }, 1000);
    return () => clearInterval(timer);
  }, [deleted]);

  return {
    hidden,
    deleted,
    bar,
    remove: (runIds: string[]) => remove.mutate({ workspace, runIds }),
    restore: (runIds: readonly string[]) => restore.mutate({ workspace, runIds: [...runIds] }),
    restoring: restore.isPending,
    error: remove.error?.message ?? restore.error?.message ?? null,
  };
}
