/** The public API: its routes, how a request is answered, and its OpenAPI document. */
export { type ApiDocument, document } from "./document";
export { routesAt } from "./match";
export { answerApi, DOCUMENT_PATH, type Outside } from "./response";
export type { Route } from "./route";
export { ROUTES } from "./routes";
