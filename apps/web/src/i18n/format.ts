import compile from "icu-minify/compile";
import formatCompiled from "use-intl/format-message/format-only";

type Compiled = ReturnType<typeof compile>;
type Arguments = Parameters<typeof formatCompiled>;

const known = new Map<string, Compiled>();

/** A message of the catalogue without its syntax, each read once: what reaches the browser needs no parser there. */
export function compiled(message: string): Compiled {
  let found = known.get(message);
  if (found === undefined) {
    // React sends plain objects only, and plurals come without a prototype.
    found = JSON.parse(JSON.stringify(compile(message))) as Compiled;
    known.set(message, found);
  }
  return found;
}

/**
 * Takes the place of `use-intl/format-message` on the server (next.config.ts): the catalogue is text there, while
 * components of the browser, which the server draws first, have compiled messages.
 */
export default function formatMessage(
  key: string,
  message: Compiled,
  values: Arguments[2],
  more: Arguments[3],
) {
  return formatCompiled(key, typeof message === "string" ? compiled(message) : message, values, more);
}
formatMessage.raw = true;
