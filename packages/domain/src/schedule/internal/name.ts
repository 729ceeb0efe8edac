import { DomainError } from "../../error";
import { printable, storable } from "../../internal/text";

/** On one line; its runs have it, too. */
export function scheduleName(text: string): string {
  const name = printable(storable(text)).replace(/\s+/g, " ");
  if (name === "")
    throw new DomainError("invalid", "The schedule needs a name; write at least one character.");
  return name;
}
