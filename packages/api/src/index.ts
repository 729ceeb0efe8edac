export { type AppRouter, appRouter } from "./root";
export { type ApiContext, createCallerFactory } from "./trpc";
