"use client";

import { useCallback, useSyncExternalStore } from "react";
import { valueIn, withValue } from "./query";

const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("popstate", listener);
  };
};

/** The query of the address. Empty while the server draws: a report is drawn once for all readers. */
export const useAddressQuery = (): string =>
  useSyncExternalStore(
    subscribe,
    () => location.search,
    () => "",
  );

/** Puts another query in the place of the address's, so that a link shows the same. Going back leads to the page before. */
export function replaceQuery(query: string): void {
  const { pathname, hash } = location;
  history.replaceState(null, "", `${pathname}${query}${hash}`);
  for (const listener of listeners) listener();
}

/** A choice that the address holds; empty where it has none. */
export function useQueryValue(name: string): [string, (value: string) => void] {
  const value = valueIn(useAddressQuery(), name);
  const set = useCallback((next: string) => replaceQuery(withValue(location.search, name, next)), [name]);
  return [value, set];
}
