/** Thin tRPC routers: validate, call one verb, return. */
export { type AppRouter, appRouter } from "./root";
export { type ApiContext, createCallerFactory } from "./trpc";
