import { appRouter, createCallerFactory } from "@rigmark/api";
import { headers } from "next/headers";
import { cache } from "react";
import { apiContext } from "@/server/context";

const factory = createCallerFactory(appRouter);

/** The API as pages on the server call it: the same procedures as whoever sent the cookie, without HTTP between. */
export const caller = cache(async () => factory(await apiContext(await headers())));
