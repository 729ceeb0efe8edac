import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { generate, turbo } from "../generate";
import { paths, root } from "../paths";

const stamp = join(paths.stamps, "web");
const buildId = join(paths.web, ".next", "BUILD_ID");

/** True when the production build is of exactly these sources. */
export const webIsBuilt = (): boolean =>
  existsSync(buildId) && existsSync(stamp) && readFileSync(stamp, "utf8") === hashOfSources();

/** `next build`, unless the sources are those of the last one. */
export async function buildWeb(): Promise<"built" | "unchanged"> {
  const hash = hashOfSources();
  if (existsSync(buildId) && existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return "unchanged";
  await generate();
  rmSync(stamp, { force: true });
  await turbo("building the web app", "build-web", ["run", "build", "--filter=@rigmark/web"]);
  mkdirSync(paths.stamps, { recursive: true });
  writeFileSync(stamp, hash);
  return "built";
}

const OF_THE_ROOT = [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "tsconfig.base.json",
  "turbo.json",
  "Cargo.lock",
];
/** They are pages of the app. */
const docs = (): string[] => [
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, "docs", name)),
  join(root, "servers/CONTRACT.md"),
];
const SKIPPED = new Set([
  "node_modules",
  ".next",
  ".turbo",
  "test",
  "dist",
  "generated",
  "pkg",
  "target",
  "next-env.d.ts",
]);

/** Of every file that can end up in the build. Generated code follows from them. */
function hashOfSources(): string {
  const hash = createHash("sha256");
  const packages = readdirSync(join(root, "packages")).filter((name) => name !== "rig");
  const files = ["apps/web", ...packages.map((name) => `packages/${name}`)].flatMap((folder) =>
    walk(join(root, folder)),
  );
  for (const path of [...OF_THE_ROOT.map((name) => join(root, name)), ...docs().sort(), ...files.sort()]) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return hash.digest("hex");
}

function walk(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(dir, entry.name);
    if (/\.(md|tsbuildinfo)$/.test(entry.name)) return [];
    return entry.isDirectory() ? walk(path) : entry.isFile() ? [path] : [];
  });
}
