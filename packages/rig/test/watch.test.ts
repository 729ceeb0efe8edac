import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watch } from "../src/dev/watch";
import { root } from "../src/paths";

let folder: string;
let place: string;
let end: () => void = () => undefined;

beforeEach(() => {
  folder = mkdtempSync(join(root, "packages/rig/test/watch-"));
  place = folder.slice(root.length + 1);
  mkdirSync(join(folder, "src"));
  mkdirSync(join(folder, "node_modules"));
});
afterEach(() => {
  end();
  rmSync(folder, { recursive: true });
});

/** Resolves with the paths of each call, in order. */
function calls() {
  const seen: (readonly string[])[] = [];
  const waiting: ((paths: readonly string[]) => void)[] = [];
  return {
    changed: async (paths: readonly string[]) => {
      const next = waiting.shift();
      if (next) next(paths);
      else seen.push(paths);
    },
    next: (): Promise<readonly string[]> =>
      new Promise((resolve) => {
        const paths = seen.shift();
        if (paths) resolve(paths);
        else waiting.push(resolve);
      }),
  };
}

test("files saved together come in one call, what builds make in none", async () => {
  const { changed, next } = calls();
  end = watch([place], changed);
  writeFileSync(join(folder, "node_modules", "made"), "");
  writeFileSync(join(folder, "src", "one.rs"), "");
  writeFileSync(join(folder, "two.rs"), "");
  expect(await next()).toEqual([`${place}/src/one.rs`, `${place}/two.rs`]);
});

test("what changes during a call is for the next", async () => {
  const { changed, next } = calls();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let running = 0;
  end = watch([place], async (paths) => {
    running += 1;
    expect(running).toBe(1);
    await changed(paths);
    await held;
    running -= 1;
  });
  writeFileSync(join(folder, "one.rs"), "");
  expect(await next()).toEqual([`${place}/one.rs`]);
  writeFileSync(join(folder, "two.rs"), "");
  release();
  expect(await next()).toEqual([`${place}/two.rs`]);
});
