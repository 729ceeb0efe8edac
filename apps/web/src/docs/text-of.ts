import type { ElementContent, Root, RootContent } from "hast";

const BLOCKS = new Set(["p", "li", "td", "th", "tr", "pre", "h1", "h2", "h3", "h4", "table", "ul", "ol"]);

/** What a reader sees of it, on one line; blocks are apart by a space. */
export const textOf = (node: Root | RootContent | ElementContent): string =>
  raw(node).replace(/\s+/g, " ").trim();

function raw(node: Root | RootContent | ElementContent): string {
  if (node.type === "text") return node.value;
  if (!("children" in node)) return "";
  const inner = node.children.map(raw).join("");
  return node.type === "element" && BLOCKS.has(node.tagName) ? ` ${inner} ` : inner;
}
