import type { Element } from "hast";
import { type Components, toJsxRuntime } from "hast-util-to-jsx-runtime";
import type { ReactNode } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { docOf } from "@/docs";
import { Anchor } from "../ui/anchor";
import { ScrollBox } from "../ui/scroll-box";

const drawn = new Map<string, ReactNode>();

/** The page as elements; no HTML passes through as text. Each is made once. */
export function DocBody({ name }: { name: string }) {
  const doc = docOf(name);
  if (!doc) return null;
  if (!drawn.has(name)) drawn.set(name, toJsxRuntime(doc.tree, { Fragment, jsx, jsxs, components }));
  return (
    <article className="doc" lang="en">
      {drawn.get(name)}
    </article>
  );
}

/** Docs are English. */
export const TO_HERE = "Link to this place";

type Props = { node?: Element | undefined; children?: ReactNode; id?: string | undefined };

const heading = (Tag: "h2" | "h3" | "h4") =>
  function Heading({ id, children }: Props) {
    return (
      <Tag id={id}>
        {children}
        <Anchor href={`#${id}`} label={TO_HERE} />
      </Tag>
    );
  };

export const Box = ({ label, children }: { label: string; children: ReactNode }) => (
  <ScrollBox label={label} className="doc-box">
    {children}
  </ScrollBox>
);

/** A line of a phone holds so many characters of code. */
const MOST_UNBROKEN = 24;
const isShort = (code: ReactNode): boolean => typeof code === "string" && code.length <= MOST_UNBROKEN;

const components: Partial<Components> = {
  // A browser would break `--slice 0` behind its first hyphen.
  code: ({ children }: Props) => (
    <code className={isShort(children) ? "unbroken" : undefined}>{children}</code>
  ),
  h2: heading("h2"),
  h3: heading("h3"),
  h4: heading("h4"),
  li: ({ id, children }: Props) => (
    <li id={id}>
      {children}
      {id && <Anchor href={`#${id}`} label={TO_HERE} />}
    </li>
  ),
  table: ({ children }: Props) => (
    <Box label="Table">
      <table>{children}</table>
    </Box>
  ),
  pre: ({ children }: Props) => (
    <Box label="Code">
      <pre>{children}</pre>
    </Box>
  ),
};
