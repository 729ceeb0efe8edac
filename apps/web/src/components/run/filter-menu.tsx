"use client";

import { type ReactNode, useEffect, useRef } from "react";

interface FilterMenuProps {
  title: string;
  /** Values that are chosen. */
  chosen: number;
  children: ReactNode;
}

/** Opens without scripts; with them it closes by Escape, and when a click or the focus goes elsewhere. */
export function FilterMenu({ title, chosen, children }: FilterMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = () => {
      if (menu.current) menu.current.open = false;
    };
    const leave = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) close();
    };
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !menu.current?.open) return;
      close();
      menu.current.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    document.addEventListener("keydown", onEscape);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
      document.removeEventListener("keydown", onEscape);
    };
  }, []);
  return (
    <details ref={menu} name="run-filter" className="lg:relative">
      <summary className="btn [&::-webkit-details-marker]:hidden" data-size="small">
        {title}
        {chosen > 0 && (
          <span className="text-accent">
            {chosen}
            <span className="sr-only"> chosen</span>
          </span>
        )}
        <span aria-hidden="true">▾</span>
      </summary>
      {/* Where menus may break into lines it is as wide as the page, so that none hangs over its edge. */}
      <div className="menu-popup absolute inset-x-0 top-full z-30 mt-1 max-h-80 overflow-y-auto lg:inset-x-auto lg:left-0 lg:w-64">
        {children}
      </div>
    </details>
  );
}
