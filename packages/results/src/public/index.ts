/** What the public API takes and sends, as schemas: they check requests, describe responses and make its OpenAPI document. */
export * from "./device";
export * from "./host";
export * from "./me";
export * from "./problem";
export * from "./publication";
export * from "./report";
export * from "./result";
export * from "./run";
export * from "./scalar";
export * from "./series";
export * from "./snapshot";
export * from "./trial";
