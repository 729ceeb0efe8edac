import type { Environment } from "@rigmark/protocol";
import { type Difference, differences } from "./differences";

/** Runs beside each other. A file of its own, without schemas: pages use it in code that must not carry zod. */

/** Of one report. */
export const MOST_IN_REPORT = 8;
/** On one compare page. */
export const MOST_COMPARED = 20;

/** What is not the same of two runs' environments; nothing is told where one of them is not known. */
export const compareEnvironments = (a: Environment | null, b: Environment | null): Difference[] =>
  a && b ? differences(a, b) : [];
