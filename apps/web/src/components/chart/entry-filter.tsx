"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
import { hiddenIn, withHidden } from "@/lib/hidden";
import type { SeriesStyle } from "@/lib/series-style";
import { replaceQuery, useAddressQuery } from "@/lib/use-address-query";
import { useWords } from "@/lib/words";
import { SeriesGlyph } from "./glyph";

export interface LegendEntry {
  key: string;
  name: string;
  style: SeriesStyle;
}

interface Filter {
  /** Keys of entries that no chart draws. */
  hidden: ReadonlySet<string>;
  names: readonly string[];
  hide(names: readonly string[]): void;
}

const NONE: Filter = { hidden: new Set(), names: [], hide: () => undefined };
const FilterContext = createContext<Filter>(NONE);
export const useHiddenEntries = (): ReadonlySet<string> => useContext(FilterContext).hidden;

/** Holds for all charts inside of it which entries are hidden. The address has it, so that a link shows the same. */
export function EntryFilter({ entries, children }: { entries: readonly LegendEntry[]; children: ReactNode }) {
  const query = useAddressQuery();
  const filter = useMemo((): Filter => {
    const names = hiddenIn(
      query,
      entries.map(({ name }) => name),
    );
    return {
      names,
      hidden: new Set(entries.flatMap(({ key, name }) => (names.includes(name) ? [key] : []))),
      hide: (next) => replaceQuery(withHidden(location.search, next)),
    };
  }, [query, entries]);
  return <FilterContext value={filter}>{children}</FilterContext>;
}

/** Another build of the same entry has its name and its style: a second button would do the same. */
const isDrawnOnce = ({ name, style }: LegendEntry, place: number, all: readonly LegendEntry[]): boolean =>
  place ===
  all.findIndex((e) => e.name === name && e.style.hue === style.hue && e.style.shape === style.shape);

/** One button an entry, which hides it in all charts of the page and shows it again. */
export function EntryLegend({ entries }: { entries: readonly LegendEntry[] }) {
  const w = useWords();
  const { hidden, names, hide } = useContext(FilterContext);
  if (entries.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-label={w.t("ui.legend")} className="no-print flex flex-wrap items-center gap-2">
      <span aria-hidden="true" className="text-ink-2">
        {w.t("ui.legend")}
      </span>
      {entries.filter(isDrawnOnce).map(({ key, name, style }) => (
        <button
          key={key}
          type="button"
          className="chip cursor-pointer aria-[pressed=false]:line-through"
          aria-pressed={!hidden.has(key)}
          onClick={() => hide(hidden.has(key) ? names.filter((n) => n !== name) : [...names, name])}
        >
          <SeriesGlyph style={style} />
          <bdi>{name}</bdi>
        </button>
      ))}
      {/* Always there, so that nothing moves when it is needed. */}
      <button
        type="button"
        className={`btn ${names.length === 0 ? "invisible" : ""}`}
        data-kind="quiet"
        data-size="small"
        onClick={() => hide([])}
      >
        {w.t("ui.showAll")}
      </button>
    </div>
  );
}
