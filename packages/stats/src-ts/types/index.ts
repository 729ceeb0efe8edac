/** What goes in and comes out, field by field; ../../INTERFACE.md says what holds for it. */
export type * from "./between-runs";
export type * from "./changes";
export type * from "./common";
export type * from "./curve";
export type * from "./overall";
export type * from "./summary";
export type * from "./summary-input";
