/**
 * Who may, and what happens. One folder an entity, one file a verb; each verb takes `{ ctx, input }` and gives a plain
 * shape. Shapes alone, without database code, are at `@rigmark/domain/views`.
 */
export * as account from "./account/index";
export * as attempt from "./attempt/index";
export type { Actor, Config, Ctx, Logger } from "./context";
export { DomainError, type DomainErrorCode, type ErrorDetail, isDomainError } from "./error";
export * as host from "./host/index";
export { checkDatabase, type Domain, type OpenOptions, openDomain } from "./open";
export * as report from "./report/index";
export * as run from "./run/index";
export * as server from "./server/index";
export * as setup from "./setup/index";
export * from "./views";
export * as workspace from "./workspace/index";
