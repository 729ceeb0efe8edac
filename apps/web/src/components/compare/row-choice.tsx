import { type CompareState, comparePath, ONLY } from "@/lib/compare-path";
import type { Compared } from "@/lib/results/compared";
import { countRows, rowsOnly } from "@/lib/results/different-rows";
import { plural } from "@/lib/text";
import { CompareLink } from "./compare-link";

/** Fewer rows than this are read as quickly. */
const LEAST = 4;

interface RowChoiceProps {
  workspace: string;
  state: CompareState;
  /** With all its rows. */
  of: Compared;
  /** Pairs of runs on one host, which the choice is about as well. */
  pairs: number;
}

/** What a row has that is shown. */
const WORDS = { different: "difference shown", faster: "better entry", slower: "worse entry" } as const;

/** Which rows the page has, in which order, and how many it therefore lacks. A link each, so that the choice is in the address. */
export function RowChoice({ workspace, state, of, pairs }: RowChoiceProps) {
  const { only, order } = state;
  const all = countRows(of);
  if (Math.max(all, pairs) < LEAST && only === undefined && order === undefined) return null;
  const leftOut = only === undefined ? null : leftOutOf(all, countRows(rowsOnly(of, only)), only);
  const link = (text: string, choice: Pick<CompareState, "only" | "order">) => (
    <CompareLink
      key={text}
      className="btn whitespace-normal"
      data-size="small"
      aria-current={only === choice.only && order === choice.order ? "true" : undefined}
      href={comparePath(workspace, { ...state, ...choice })}
      scroll={false}
    >
      {text}
    </CompareLink>
  );
  return (
    <>
      <nav aria-label="Rows" className="flex flex-wrap items-center gap-2">
        <span className="text-ink-2">Show</span>
        {link("All rows", { only: undefined, order })}
        {ONLY.map((each) =>
          link(`Only rows with a ${WORDS[each]} (${countRows(rowsOnly(of, each))} of ${all})`, {
            only: each,
            order,
          }),
        )}
      </nav>
      <nav aria-label="Order" className="flex flex-wrap items-center gap-2">
        <span className="text-ink-2">Order</span>
        {link("In the plan's order", { only, order: undefined })}
        {link("Largest difference first", { only, order: "size" })}
      </nav>
      {leftOut !== null && <p className="note">{leftOut}</p>}
    </>
  );
}

function leftOutOf(all: number, shown: number, only: keyof typeof WORDS): string | null {
  const rest = all - shown;
  if (rest === 0) return null;
  if (shown === 0)
    return `No row has a ${WORDS[only]}: ${plural(rest, "row is", "rows are")} left out of the table and the charts.`;
  const are = rest === 1 ? "is" : "are";
  return `${plural(rest, "row")} without a ${WORDS[only]} ${are} left out of the table and the charts.`;
}
