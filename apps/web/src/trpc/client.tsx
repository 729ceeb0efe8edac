"use client";

import type { AppRouter } from "@rigmark/api";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import superjson from "superjson";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

const URL = "/api/trpc";

const makeClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === "subscription",
        true: httpSubscriptionLink({ url: URL, transformer: superjson }),
        // The server takes no more at once: server/trpc-bounds.ts.
        false: httpBatchLink({ url: URL, transformer: superjson, maxURLLength: 6000, maxItems: 20 }),
      }),
    ],
  });

/** What was refused stays refused; only what may have been the network is tried again. */
const mayRetry = (failures: number, error: unknown): boolean =>
  failures < 2 && !(error instanceof TRPCClientError && error.data && error.data.httpStatus < 500);

const makeQueries = () =>
  new QueryClient({
    defaultOptions: { queries: { staleTime: 5_000, retry: mayRetry, refetchOnWindowFocus: true } },
  });

export function ApiProvider({ children }: { children: ReactNode }) {
  const [queries] = useState(makeQueries);
  const [client] = useState(makeClient);
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
