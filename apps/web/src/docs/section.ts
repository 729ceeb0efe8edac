import type { Element } from "hast";
import type { Doc } from "./parse";
import { textOf } from "./text-of";

export interface Section {
  /** Its address, with the anchor. */
  href: string;
  /** The title of its page. */
  page: string;
  heading: string;
  text: string;
}

/** The parts of a page between its headings. A list item with an anchor of its own is a part. */
export function sectionsOf(doc: Doc, name: string, page: string): Section[] {
  const sections: Section[] = [];
  let open: Section = { href: `/docs/${name}`, page, heading: doc.title, text: "" };
  const close = () => {
    if (open.text !== "") sections.push(open);
  };
  for (const node of doc.tree.children) {
    if (node.type !== "element") continue;
    if (/^h[1-6]$/.test(node.tagName)) {
      close();
      const anchor = node.tagName === "h1" ? "" : `#${node.properties.id}`;
      open = { href: `/docs/${name}${anchor}`, page, heading: textOf(node), text: "" };
      continue;
    }
    const items = node.children.filter((c): c is Element => c.type === "element" && Boolean(c.properties.id));
    if (items.length > 0)
      sections.push(
        ...items.map((item) => ({
          href: `/docs/${name}#${item.properties.id}`,
          page,
          heading: termOf(item),
          text: textOf(item),
        })),
      );
    else open.text = `${open.text} ${textOf(node)}`.trim();
  }
  close();
  return sections;
}

const termOf = (item: Element): string => {
  const [first] = item.children;
  return first ? textOf(first) : "";
};
