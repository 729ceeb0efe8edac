// cspell:ignore botleneck enro uninstal
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Element } from "hast";
import { visit } from "unist-util-visit";
import { describe, expect, it } from "vitest";
import { allSections, docOf } from "@/docs";
import { linkTarget } from "@/docs/link";
import { SOURCES } from "@/docs/pages";
import { parseDoc } from "@/docs/parse";
import { excerptOf, makeSearch } from "@/docs/search";
import { TERMS } from "@/docs/terms";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const elements = (name: string): Element[] => {
  const found: Element[] = [];
  const doc = docOf(name);
  if (doc) visit(doc.tree, "element", (node) => void found.push(node));
  return found;
};
const anchorsOf = (name: string): string[] =>
  elements(name).flatMap((node) => (node.properties.id ? [String(node.properties.id)] : []));

describe("the docs", () => {
  it("have a page for each file of docs/", () => {
    const files = readdirSync(`${root}/docs`).filter((file) => file.endsWith(".md"));
    expect(SOURCES.map((s) => s.file).sort()).toEqual(
      [...files.map((file) => `docs/${file}`), "servers/CONTRACT.md"].sort(),
    );
  });

  it.each(SOURCES.map((s) => s.name))(
    "%s: each anchor exists once, and each link leads somewhere",
    (name) => {
      const anchors = anchorsOf(name);
      expect(new Set(anchors).size).toBe(anchors.length);
      const wrong = elements(name).flatMap((node) => {
        if (node.tagName !== "a") return [];
        const href = String(node.properties.href);
        if (/^https?:/.test(href)) return [];
        const [path = "", anchor] = href.split("#");
        const page = path === "" ? name : path.replace("/docs/", "");
        return docOf(page) && (anchor === undefined || anchorsOf(page).includes(anchor)) ? [] : [href];
      });
      expect(wrong).toEqual([]);
    },
  );

  it.each(SOURCES.map((s) => s.name))("%s: names only files that exist", (name) => {
    const source = SOURCES.find((s) => s.name === name);
    const links = [...(source?.text ?? "").matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map((m) => m[1] ?? "");
    const paths = links.flatMap((href) => {
      const target = linkTarget(href, source?.file ?? "", new Map());
      return target.kind === "file" ? [target.path] : [];
    });
    expect(paths.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
  });

  it("turn a link to a page into its address, and one to another file into its name", () => {
    const pages = new Map([["docs/method.md", "method"]]);
    const to = (href: string) => linkTarget(href, "docs/suites.md", pages);
    expect(to("method.md#load")).toEqual({ kind: "page", href: "/docs/method#load" });
    expect(to("../SECURITY.md")).toEqual({ kind: "file", path: "SECURITY.md" });
    expect(to("https://example.org/a.md")).toEqual({ kind: "external", href: "https://example.org/a.md" });
    expect(to("#here")).toEqual({ kind: "page", href: "#here" });
  });

  it("keep indices, and no HTML that could run", () => {
    const text =
      "# A\n\nx<sub>1</sub> <b onclick=x()>b</b> [l](javascript:x())\n\n<script>alert(1)</script>\n";
    const tree = JSON.stringify(parseDoc({ text, file: "a.md", pages: new Map() }).tree);
    expect(tree).toContain('"tagName":"sub"');
    expect(tree).not.toMatch(/script|onclick|alert/i);
  });
});

describe("the terms that pages link to", () => {
  it("each have a line in the glossary", () => {
    const anchors = anchorsOf("glossary");
    expect(TERMS.filter((term) => !anchors.includes(term))).toEqual([]);
  });
});

describe("search", () => {
  const search = makeSearch(allSections());

  it("finds a term's line in the glossary first", () => {
    expect(search("bottleneck")[0]?.href).toMatch(/#.*bottleneck$/);
    expect(search("steal")[0]).toMatchObject({
      href: "/docs/glossary#steal",
      page: "Glossary",
      heading: "Steal",
    });
  });

  it("finds beginnings of words, and words with a typo", () => {
    const hrefs = (query: string) => search(query).map((hit) => hit.href);
    expect(hrefs("enro")).toContain("/docs/install#an-agent-on-another-host");
    expect(hrefs("uninstal")).toContain("/docs/install#removing-it");
    expect(hrefs("botleneck")).toContain("/docs/glossary#bottleneck");
  });

  it("finds nothing for what is nowhere, and survives what is no word", () => {
    expect(search("xylophone zebra")).toEqual([]);
    for (const odd of ["", " ", "(", "*[", "\\"]) expect(search(odd)).toEqual([]);
  });

  it("shows the text around what it found", () => {
    const text = `${"first ".repeat(40)}the knee is here ${"last ".repeat(60)}`.trim();
    const excerpt = excerptOf(text, ["knee"]);
    expect(excerpt.filter((piece) => piece.found)).toEqual([{ text: "knee", found: true }]);
    const shown = excerpt.map((piece) => piece.text).join("");
    expect(shown).toMatch(/^… .*the knee is here .* …$/);
    expect(shown.length).toBeLessThan(200);
  });
});
