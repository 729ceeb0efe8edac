/**
 * Everything that agent and app say to each other, written once. `schema/` has the same as JSON Schema, `golden/`
 * has one example of each message; the tests here and those of `apps/agent` parse both.
 */
export * from "./host";
export * from "./http-load";
export * from "./journal/plan";
export * from "./journal/record";
export * from "./journal/result";
export * from "./messages";
export * from "./run-ranges";
export * from "./run-spec";
export * from "./scalar";
export * from "./scenario";
export * from "./source";
export * from "./suite";
export * from "./wire/attempt";
export * from "./wire/enroll";
export * from "./wire/error";
export * from "./wire/run-states";
