import { posix } from "node:path";

export type LinkTarget =
  | { kind: "page"; href: string }
  | { kind: "external"; href: string }
  /** A file of the repository that is no page. */
  | { kind: "file"; path: string };

/** Where a link in `file` leads. `pages` maps files of the repository to the names of their pages. */
export function linkTarget(href: string, file: string, pages: ReadonlyMap<string, string>): LinkTarget {
  if (href.startsWith("#")) return { kind: "page", href };
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return { kind: "external", href };
  const [relative = "", anchor] = href.split("#");
  const path = posix.join(posix.dirname(file), relative);
  const name = pages.get(path);
  if (name === undefined) return { kind: "file", path };
  return { kind: "page", href: `/docs/${name}${anchor ? `#${anchor}` : ""}` };
}
