import { type FSWatcher, watch as watchFolder } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../paths";
import { say } from "../say";

/** A save is often several writes, and an editor may save many files at once. */
const CALM_MS = 150;
/** What builds make: not a change of ours. */
const MADE = /(^|\/)(node_modules|generated|pkg|dist|target|\.next|\.turbo|test-results)(\/|$)/;

/**
 * Calls `changed` with the paths, from the root of the repository, that changed since the last call. One call at a time;
 * what changes meanwhile is for the next. Returns what ends it.
 */
export function watch(
  places: readonly string[],
  changed: (paths: readonly string[]) => Promise<void>,
): () => void {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let busy = false;

  const call = async (): Promise<void> => {
    if (busy || waiting.size === 0) return;
    busy = true;
    const paths = [...waiting].sort();
    waiting.clear();
    try {
      await changed(paths);
    } finally {
      busy = false;
      if (waiting.size > 0) soon();
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void call(), CALM_MS);
  };
  const watchers = places.map((place): FSWatcher => {
    const path = join(root, place);
    return watchFolder(path, { recursive: true }, (_, name) => {
      const file = name === null || path.endsWith(`/${name}`) ? path : join(path, name);
      const known = relative(root, file);
      if (MADE.test(known)) return;
      waiting.add(known);
      soon();
    }).on("error", (error) => say(`${place} is not watched any longer: ${error.message}`));
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
