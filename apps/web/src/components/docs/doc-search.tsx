"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type Hit, makeSearch, type Search } from "@/docs/search";
import type { Section } from "@/docs/section";
import { areKeysOn } from "@/lib/single-keys";
import { HitList } from "./hit-list";

const MOST = 8;

let loading: Promise<Search> | null = null;
/** The index comes from the app itself, once somebody wants to search. */
const load = (): Promise<Search> => {
  loading ??= fetch("/docs/index.json")
    .then((response) => {
      if (!response.ok) throw new Error(`status ${response.status}`);
      return response.json() as Promise<Section[]>;
    })
    .then(makeSearch);
  loading.catch(() => {
    loading = null;
  });
  return loading;
};

/** Results while you type; Enter, and readers without scripts, get the page with all of them. */
export function DocSearch({ query = "" }: { query?: string | undefined }) {
  const t = useTranslations("docs.search");
  const box = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(query);
  const [hits, setHits] = useState<Hit[] | null>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      if (!areKeysOn()) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("keydown", focus);
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    return () => {
      document.removeEventListener("keydown", focus);
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
    };
  }, []);

  useEffect(() => {
    let current = true;
    if (text.trim() === "" || !open) setHits(null);
    else
      load().then(
        (search) => current && setHits(search(text)),
        // Without the index, Enter still works.
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [text, open]);

  const move = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      input.current?.focus();
      setOpen(false);
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [...(box.current?.querySelectorAll("a") ?? [])];
    const place = links.indexOf(document.activeElement as HTMLAnchorElement);
    const next = place + (event.key === "ArrowDown" ? 1 : -1);
    if (links.length === 0) return;
    event.preventDefault();
    if (next < 0) input.current?.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  };

  const shown = open && hits !== null;
  return (
    <search ref={box} className="relative block" onKeyDown={move}>
      <form action="/docs/search">
        <input
          ref={input}
          className="input"
          type="search"
          name="q"
          placeholder={t("placeholder")}
          aria-label={t("label")}
          aria-keyshortcuts="/"
          autoComplete="off"
          value={text}
          onFocus={() => {
            setOpen(true);
            load().catch(() => undefined);
          }}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
          }}
        />
        {text === "" && (
          <kbd className="pointer-events-none absolute top-1/2 right-2 hidden -translate-y-1/2 border border-line px-1.5 text-ink-3 lg:block">
            /
          </kbd>
        )}
      </form>
      <p className="sr-only" aria-live="polite">
        {shown ? t("found", { n: hits.length }) : ""}
      </p>
      {shown && (
        <div className="absolute top-full left-0 z-30 mt-1 max-h-[70dvh] w-full overflow-y-auto rounded-lg border border-line-strong bg-panel lg:w-[32rem]">
          {hits.length > 0 ? (
            <HitList hits={hits.slice(0, MOST)} onPick={() => setOpen(false)} />
          ) : (
            <p className="px-3 py-2 text-ink-2">{t("none")}</p>
          )}
          {hits.length > MOST && (
            <p className="border-line border-t px-3 py-2 text-[0.929rem] text-ink-2">
              {t("all", { n: hits.length })}
            </p>
          )}
        </div>
      )}
    </search>
  );
}
