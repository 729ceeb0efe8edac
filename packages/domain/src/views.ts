/** Shapes that leave the domain. Free of database code, so that pages may import them. */
export * from "./account/view";
export * from "./host/view";
export * from "./report/snapshot";
export * from "./report/view";
export { MOST_RUNS } from "./run/comparable";
export * from "./run/curve";
export { type Difference, differences } from "./run/differences";
export * from "./run/planned";
export * from "./run/summary";
export * from "./run/view";
export * from "./run/watch-event";
export * from "./scalar";
export * from "./server/view";
export * from "./setup/view";
export * from "./workspace/view";
