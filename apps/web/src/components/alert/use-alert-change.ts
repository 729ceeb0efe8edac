import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client";

/** For a mutation: the page is read again once it is done. */
export function useAlertChange(workspace: string) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return { onSuccess: () => queries.invalidateQueries({ queryKey: trpc.alert.get.queryKey({ workspace }) }) };
}
