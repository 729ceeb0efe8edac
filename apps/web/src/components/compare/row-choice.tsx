import { type CompareState, comparePath } from "@/lib/compare-path";
import { plural } from "@/lib/text";
import { CompareLink } from "./compare-link";

/** Fewer rows than this are read as quickly. */
const LEAST = 4;

interface RowChoiceProps {
  workspace: string;
  state: CompareState;
  /** Rows of the table, and how many of them have a difference shown. */
  all: number;
  different: number;
}

/** Which rows the table has, and how many it therefore lacks. A link each, so that the choice is in the address. */
export function RowChoice({ workspace, state, all, different }: RowChoiceProps) {
  const { only, ...rest } = state;
  if (all < LEAST && only === undefined) return null;
  const leftOut = only === undefined ? null : leftOutOf(all, different);
  return (
    <>
      <nav aria-label="Rows" className="flex flex-wrap items-center gap-2">
        <span className="text-ink-2">Show</span>
        <CompareLink
          className="btn"
          data-size="small"
          aria-current={only === undefined ? "true" : undefined}
          href={comparePath(workspace, rest)}
          scroll={false}
        >
          All rows
        </CompareLink>
        <CompareLink
          className="btn whitespace-normal"
          data-size="small"
          aria-current={only === "different" ? "true" : undefined}
          href={comparePath(workspace, { ...rest, only: "different" })}
          scroll={false}
        >
          Only rows with a difference shown ({different} of {all})
        </CompareLink>
      </nav>
      {leftOut !== null && <p className="note">{leftOut}</p>}
    </>
  );
}

function leftOutOf(all: number, different: number): string | null {
  const rest = all - different;
  if (rest === 0) return null;
  if (different === 0)
    return `No row has a difference shown: ${plural(rest, "row is", "rows are")} left out of the table.`;
  const are = rest === 1 ? "is" : "are";
  return `${plural(rest, "row")} without a difference shown ${are} left out of the table.`;
}
