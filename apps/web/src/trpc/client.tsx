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
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import superjson from "superjson";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

const URL = "/api/trpc";

/** What a reader is told; with the status of what answered in the app's place. */
type Unreachable = (status?: number) => string;

/** What a browser says of a failed request tells a reader nothing, and a proxy may answer for the app in HTML. */
async function reached(asked: Promise<Response>, unreachable: Unreachable): Promise<Response> {
  const response = await asked.catch((error: unknown) => {
    if (error instanceof Error && error.name === "AbortError") throw error;
    throw new Error(unreachable(), { cause: error });
  });
  if (!response.headers.get("content-type")?.includes("json")) throw new Error(unreachable(response.status));
  return response;
}

const makeClient = (unreachable: Unreachable) =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === "subscription",
        true: httpSubscriptionLink({ url: URL, transformer: superjson }),
        // The server takes no more at once: server/trpc-bounds.ts.
        false: httpBatchLink({
          url: URL,
          transformer: superjson,
          maxURLLength: 6000,
          maxItems: 20,
          fetch: (input, init) => reached(fetch(input, init as RequestInit), unreachable),
        }),
      }),
    ],
  });

/** The app was reached and said no, and will say so again: not that it was asked too often. */
export const isRefusal = (error: unknown): error is Error => statusOf(error) < 500 && statusOf(error) !== 429;

const statusOf = (error: unknown): number =>
  (error instanceof TRPCClientError && error.data?.httpStatus) || 500;

/** What was refused stays refused; only what may have been the network is tried again. */
const mayRetry = (failures: number, error: unknown): boolean => failures < 2 && statusOf(error) >= 500;

const makeQueries = () =>
  new QueryClient({
    defaultOptions: { queries: { staleTime: 5_000, retry: mayRetry, refetchOnWindowFocus: true } },
  });

export function ApiProvider({ children }: { children: ReactNode }) {
  const t = useTranslations("ui");
  const [queries] = useState(makeQueries);
  const [client] = useState(() =>
    makeClient((status) => (status === undefined ? t("unreachable") : t("unreachableStatus", { status }))),
  );
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
