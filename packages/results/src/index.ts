/** What leaves the domain, as schemas and types, and what pages work out of it. */

export { MOST_COMPARED, MOST_RUNS } from "./comparable";
export { type Difference, differences } from "./differences";
export * from "./planned";
export * from "./view/account";
export * from "./view/alert";
export * from "./view/comparison";
export * from "./view/curve";
export * from "./view/device";
export * from "./view/history";
export * from "./view/host";
export * from "./view/invitation";
export * from "./view/member";
export * from "./view/network";
export { HIDDEN, published } from "./view/published";
export * from "./view/report";
export * from "./view/run";
export * from "./view/run-list";
export * from "./view/scalar";
export * from "./view/schedule";
export * from "./view/server";
export * from "./view/session";
export * from "./view/setup";
export * from "./view/snapshot";
export * from "./view/summary";
export * from "./view/token";
export * from "./view/watch-event";
export * from "./view/workspace";
