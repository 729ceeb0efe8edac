import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const src = new URL("../src/", import.meta.url).pathname;
/** What a public report's browser code is made of. */
const FOLDERS = ["components/report", "components/result", "components/chart", "lib/results"];
/** In the workspace only, behind sign-in. */
const SIGNED_IN = ["report-list.tsx", "report-links.tsx"];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(src, folder))
    .filter((name) => /\.tsx?$/.test(name) && !SIGNED_IN.includes(name))
    .map((name) => join(folder, name)),
);

describe("the code of a public report", () => {
  it.each(files)("%s takes types from the schemas' packages, no code, and no router", (file) => {
    const text = readFileSync(join(src, file), "utf8");
    const imports = [...text.matchAll(/import\s+(type\s)?[^;]*?from "([^"]+)"/g)];
    const heavy = imports.filter(
      ([, type, from]) =>
        !type &&
        /^(zod|next\/link|use-intl\/core|@trpc\/.*|@rigmark\/(protocol|domain|domain\/views|api))$/.test(
          from ?? "",
        ),
    );
    expect(heavy.map(([whole]) => whole)).toEqual([]);
  });
});
