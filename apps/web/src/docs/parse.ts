import type { Element, Root } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeSlug from "rehype-slug";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { SKIP, visit } from "unist-util-visit";
import { linkTarget } from "./link";
import { textOf } from "./text-of";

export interface Heading {
  id: string;
  text: string;
  depth: number;
}
export interface Doc {
  /** The file's first heading. */
  title: string;
  headings: Heading[];
  tree: Root;
}

interface Parse {
  text: string;
  file: string;
  /** From files of the repository to names of pages. */
  pages: ReadonlyMap<string, string>;
}

/** Markdown to a tree with anchors, whose links work in the app. Of HTML in the Markdown only what GitHub allows stays. */
export function parseDoc({ text, file, pages }: Parse): Doc {
  const pipeline = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(rehypeRaw)
    .use(rehypeSanitize)
    .use(nameTerms)
    .use(rehypeSlug)
    .use(dropEmptyHeads)
    .use(() => (tree: Root) => turnLinks(tree, file, pages));
  const tree = pipeline.runSync(pipeline.parse(text)) as Root;
  const headings = headingsOf(tree);
  return { title: headings.find((h) => h.depth === 1)?.text ?? file, headings, tree };
}

const depthOf = (node: Element): number => Number(/^h([1-6])$/.exec(node.tagName)?.[1] ?? 0);

function headingsOf(tree: Root): Heading[] {
  const found: Heading[] = [];
  visit(tree, "element", (node) => {
    const depth = depthOf(node);
    if (depth > 0) found.push({ id: String(node.properties.id ?? ""), text: textOf(node), depth });
  });
  return found;
}

/** `Lower bound` is at `#lower-bound`, `A/A test` at `#a-a-test`. */
export const termId = (term: string): string =>
  term
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** A list item that begins with a bold term has its anchor: the lines of the glossary. */
function nameTerms() {
  return (tree: Root) => {
    const isGlossary = tree.children.some(
      (node) => node.type === "element" && node.tagName === "h1" && textOf(node) === "Glossary",
    );
    if (!isGlossary) return;
    visit(tree, "element", (node) => {
      if (node.tagName !== "li") return;
      const [first] = node.children;
      if (first?.type === "element" && first.tagName === "strong") node.properties.id = termId(textOf(first));
    });
  };
}

/** A Markdown table must have a head. One without words is left out, and so is a corner that heads nothing. */
function dropEmptyHeads() {
  return (tree: Root) =>
    visit(tree, "element", (node, index, parent) => {
      if (!["thead", "th"].includes(node.tagName) || textOf(node) !== "") return;
      if (node.tagName === "th") node.tagName = "td";
      else if (index !== undefined && parent) {
        parent.children.splice(index, 1);
        return [SKIP, index];
      }
    });
}

/** The project names no address of its repository, so a file that is no page is named, not linked. */
function turnLinks(tree: Root, file: string, pages: ReadonlyMap<string, string>): void {
  visit(tree, "element", (node) => {
    if (node.tagName !== "a") return;
    const target = linkTarget(String(node.properties.href ?? ""), file, pages);
    if (target.kind !== "file") {
      node.properties.href = target.href;
      return;
    }
    const text = textOf(node);
    const named = target.path.endsWith(text);
    node.tagName = named ? "code" : "span";
    node.properties = {};
    if (!named)
      node.children.push(
        { type: "text", value: " (" },
        {
          type: "element",
          tagName: "code",
          properties: {},
          children: [{ type: "text", value: target.path }],
        },
        { type: "text", value: ")" },
      );
  });
}
