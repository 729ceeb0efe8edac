import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { root } from "../paths";

/** Who may import `@rigmark/db`: `domain` the client, the launcher only what starts and migrates the server. */
const MAY_IMPORT_DB: Record<string, RegExp> = {
  "packages/domain": /^@rigmark\/db(\/|$)/,
  "packages/rig": /^@rigmark\/db\/(embedded|migrate)$/,
  e2e: /^@rigmark\/db\/(embedded|migrate|testing)$/,
};
/** Where `apps/web` is a server, and may call verbs: nothing that a browser loads is here. */
const WEB_SERVER = /^apps\/web\/src\/(server\/.*|env|app\/.*\/route)\.tsx?$/;
/** What a browser loads, or may load after the next change. */
const WEB_BROWSER = /^apps\/web\/src\/(components|lib)\//;
const TEST = /(^|\/)(test|tests)\/|\.test\.tsx?$/;

export interface Breach {
  file: string;
  imports: string;
  why: string;
}

/** Every import in TypeScript that goes where it must not. */
export function findBreaches(): Breach[] {
  return [
    "apps/web",
    "e2e",
    "research",
    ...readdirSync(join(root, "packages")).map((name) => `packages/${name}`),
  ].flatMap((owner) =>
    sources(join(root, owner)).flatMap((path) =>
      breachesIn(owner, relative(root, path), readFileSync(path, "utf8")),
    ),
  );
}

export function breachesIn(owner: string, file: string, text: string): Breach[] {
  const breaches = importsOf(text).flatMap((name) => {
    const why = whyNot(owner, file, name);
    return why ? [{ file, imports: name, why }] : [];
  });
  return WEB_BROWSER.test(file) ? [...breaches, ...schemasIn(file, text)] : breaches;
}

/** Schemas are 30 kB of a page, and the content security policy refuses the code that they try to compile. */
const schemasIn = (file: string, text: string): Breach[] =>
  [...text.matchAll(/^import (?!type )([^;]*?) from "(@rigmark\/(?:protocol|results))";/gm)]
    .filter(([, names = ""]) => /[{,]\s*(?!type |[},\s])/.test(names))
    .map(([, , name = ""]) => ({
      file,
      imports: name,
      why: `a browser needs no schemas: import types from it, and values from a part without them, such as ${name === "@rigmark/results" ? "@rigmark/results/choices" : "@rigmark/protocol/run-states"}`,
    }));

function whyNot(owner: string, file: string, name: string): string | null {
  if (/^@rigmark\/db(\/|$)/.test(name) && owner !== "packages/db") {
    if (TEST.test(file) && name === "@rigmark/db/testing") return null;
    return MAY_IMPORT_DB[owner]?.test(name) ? null : "only packages/domain may import the database";
  }
  if (/^@rigmark\/domain(\/|$)/.test(name) && !TEST.test(file)) {
    if (owner === "packages/results")
      return "packages/results is for the browser too: it may not import domain";
    if (owner === "apps/web" && !WEB_SERVER.test(file))
      return "only the server side of apps/web may import domain; shapes and rankings are in @rigmark/results";
  }
  if (owner === "packages/results" && isBuiltin(name) && !TEST.test(file))
    return "packages/results is for the browser too: it may not import modules of Node";
  if (/^@rigmark\/[^/]+\/(src|generated|dist|pkg)\//.test(name))
    return "packages are reached through their exports only";
  if (name.startsWith(".")) {
    const [first = "", second = ""] = join(file, "..", name).split("/");
    const folder = /^(.*)\/internal(\/|$)/.exec(join(file, "..", name))?.[1];
    if (folder && !file.startsWith(`${folder}/`) && !TEST.test(file))
      return "what is in internal/ is for the folder beside it only";
    const target = first === "packages" || first === "apps" ? `${first}/${second}` : first;
    if (target !== owner && owner.startsWith("packages/") && target.startsWith("packages/")) {
      return "a package is imported by its name, not by its path";
    }
  }
  return null;
}

const IMPORT = /(?:from|import|import\()\s*["']([^"'\n]+)["']/g;
const importsOf = (text: string): string[] => [...text.matchAll(IMPORT)].flatMap((m) => (m[1] ? [m[1]] : []));

const SKIPPED = new Set(["node_modules", "generated", "dist", "pkg", ".next", ".turbo", "target"]);
function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}
