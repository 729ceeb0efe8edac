import { initTRPC } from "@trpc/server";
import superjson from "superjson";

export interface ApiContext {
  /** Ends when the browser hangs up. */
  signal: AbortSignal;
}

const t = initTRPC.context<ApiContext>().create({ transformer: superjson });

export const router = t.router;
export const procedure = t.procedure;
export const createCallerFactory = t.createCallerFactory;

export const notBuilt = (): never => {
  throw new Error("not built yet");
};
export const notBuiltStream = (): AsyncIterable<never> => notBuilt();
