import { DomainError } from "../error";
import { printable } from "./text";

/** On one line: whatever else it holds is white space. */
export const lineOf = (text: string): string => printable(text).replace(/\s+/g, " ");

/** What something is called, on one line. */
export function nameOf(text: string, what: string): string {
  const name = lineOf(text);
  if (name === "")
    throw new DomainError("invalid", `The ${what} needs a name; write at least one character.`);
  return name;
}
