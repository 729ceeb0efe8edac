"use client";

import { useEffect } from "react";

/** Where keys are text, or belong to something that is open. */
const TAKEN =
  "input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]";

/** Single keys with what they do. None acts while somebody types, and with Ctrl, Alt or Meta they are the browser's. */
export function useListKeys(keys: Readonly<Record<string, () => void>>, on: boolean) {
  useEffect(() => {
    if (!on) return;
    const press = (event: KeyboardEvent) => {
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
      if (!act || event.defaultPrevented || event.isComposing) return;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target instanceof Element && event.target.closest(TAKEN)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [keys, on]);
}

/** The link of the row that has the focus is moved by `step`; without one the first row gets it. */
export function moveInList(list: HTMLElement | null, step: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>("a[data-run]") ?? [])];
  const place = links.findIndex((link) => link.closest("[data-row]")?.contains(document.activeElement));
  const next = place < 0 ? 0 : Math.min(Math.max(place + step, 0), links.length - 1);
  links[next]?.focus();
}

/** Id of the run whose row has the focus. */
export const focusedRun = (list: HTMLElement | null): string | undefined =>
  list?.contains(document.activeElement)
    ? document.activeElement?.closest("[data-row]")?.querySelector<HTMLAnchorElement>("a[data-run]")?.dataset
        .run
    : undefined;
