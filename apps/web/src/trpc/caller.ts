import { appRouter, createCallerFactory } from "@rigmark/api";
import { cache } from "react";

const factory = createCallerFactory(appRouter);

/** The API as pages on the server call it: the same procedures, without HTTP between. */
export const caller = cache(async () => factory({ signal: AbortSignal.timeout(30_000) }));
