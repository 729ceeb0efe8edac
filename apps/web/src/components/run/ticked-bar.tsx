import { MOST_COMPARED } from "@rigmark/results/comparable";
import Link from "next/link";
import { plural } from "@/lib/text";

interface TickedBarProps {
  ticked: number;
  /** Those of them that the list does not show. */
  elsewhere: number;
  /** Address that compares them; null where none has results. */
  compare: string | null;
  clear: () => void;
  /** Null where they cannot be deleted. */
  remove: (() => void) | null;
}

/** What can be done with the ticked runs. */
export function TickedBar({ ticked, elsewhere, compare, clear, remove }: TickedBarProps) {
  return (
    <section
      aria-label="Selected runs"
      className="panel sticky bottom-3 z-10 mt-3 flex flex-wrap items-center gap-3 px-4 py-2 shadow-md"
    >
      <span className="mr-auto" aria-live="polite">
        {plural(ticked, "run")} selected
        {elsewhere > 0 && (elsewhere === ticked ? ", not in this list" : `, ${elsewhere} not in this list`)}
        {ticked >= MOST_COMPARED && ", the most that one page can compare"}
      </span>
      <button type="button" className="btn" data-kind="quiet" onClick={clear}>
        Clear
      </button>
      {remove && (
        <button type="button" className="btn" data-kind="danger" onClick={remove}>
          Delete
        </button>
      )}
      {compare && (
        <Link className="btn" data-kind="primary" href={compare} aria-keyshortcuts="c">
          Compare
        </Link>
      )}
    </section>
  );
}
