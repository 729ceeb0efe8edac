/**
 * Who may, and what happens. One folder an entity, one file a verb; the README says what verbs
 * take and return.
 */
export * from "./account/index";
export * from "./alert/index";
export * from "./attempt/index";
export * from "./audit/index";
export type { Actor, Config, Ctx, Grant, Logger } from "./context";
export * from "./device/index";
export { DomainError, type DomainErrorCode, type ErrorDetail, isDomainError } from "./error";
export * from "./history/index";
export * from "./host/index";
export * from "./invitation/index";
export type { Launcher } from "./launcher/index";
export * from "./member/index";
export * from "./network/index";
export { checkDatabase, type Domain, type OpenOptions, openDomain } from "./open";
export * from "./report/index";
export * from "./run/index";
export * from "./schedule/index";
export * from "./server/index";
export * from "./setup/index";
export * from "./token/index";
export * from "./workspace/index";
