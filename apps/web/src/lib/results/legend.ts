import type { PlanEntry } from "@rigmark/protocol";
import type { LegendEntry } from "@/components/chart/entry-filter";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";

/** Entries as a legend names them, each once: several runs may have the same. */
export function legendOf(
  entries: readonly Pick<PlanEntry, "key" | "label">[],
  styles: ReadonlyMap<string, SeriesStyle>,
): LegendEntry[] {
  const legend = new Map<string, LegendEntry>();
  for (const { key, label } of entries) {
    const style = styles.get(key);
    if (style && !legend.has(key)) legend.set(key, { key, name: plainLine(label), style });
  }
  return [...legend.values()];
}
