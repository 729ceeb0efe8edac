import { heatInWords } from "@/lib/results/heat";
import { useWords } from "@/lib/words";

/** Below a heat map: what the strength of a color says. */
export function HeatNote() {
  return <p className="mt-2 max-w-[80ch] text-ink-2">{heatInWords(useWords())}</p>;
}
