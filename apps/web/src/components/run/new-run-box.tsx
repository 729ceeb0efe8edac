import { type ReactNode, useId } from "react";
import { plainLine } from "@/lib/text";

interface Chosen {
  key: string | number;
  name: string;
  onRemove: () => void;
}

interface ChoiceBoxProps {
  title: string;
  about: string;
  /** What is chosen here, in the plural: "servers". */
  things: string;
  count: number;
  query: string;
  onQuery: (query: string) => void;
  chosen: readonly Chosen[];
  problem: string | undefined;
  /** Nothing of it matches the query. */
  noMatch: boolean;
  children: ReactNode;
}

/** Things to tick in a box that scrolls by itself: a search on top, then what is ticked, so that neither is ever out of sight. */
export function ChoiceBox(props: ChoiceBoxProps) {
  const { title, about, things, count, query, onQuery, chosen, problem, noMatch, children } = props;
  const hint = useId();
  return (
    <fieldset className="min-w-0" aria-describedby={hint}>
      <legend className="block">
        <h2>{title}</h2>
      </legend>
      <p id={hint} className="mb-2 text-[0.929rem] text-ink-2">
        {about}
      </p>
      {problem && (
        <p className="note mb-2" data-tone="bad" data-problem role="alert">
          {problem}
        </p>
      )}
      <div className="panel flex max-h-[34rem] flex-col lg:h-[calc(100dvh-28rem)] lg:max-h-none lg:min-h-80">
        <div className="space-y-2 border-line border-b p-2">
          <input
            type="search"
            className="input w-full"
            aria-label={`Search ${things}`}
            placeholder={`Search ${count} ${things}`}
            value={query}
            onChange={(event) => onQuery(event.target.value)}
          />
          <ChosenList things={things} chosen={chosen} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto">
          {noMatch ? (
            <p className="px-4 py-3 text-ink-2">
              No {things} match “<bdi>{plainLine(query)}</bdi>”.{" "}
              <button type="button" className="link" onClick={() => onQuery("")}>
                Clear the search
              </button>
            </p>
          ) : (
            children
          )}
        </div>
      </div>
    </fieldset>
  );
}

/** Has the height of two lines, whatever is in it: nothing below moves when something is ticked. */
const ChosenList = ({ things, chosen }: Pick<ChoiceBoxProps, "things" | "chosen">) => (
  <ul
    className="flex h-[4.25rem] flex-wrap content-start gap-1 overflow-y-auto"
    aria-label={`Chosen ${things}`}
  >
    {chosen.length === 0 && <li className="px-2 py-0.5 text-[0.929rem] text-ink-2">None chosen</li>}
    {chosen.map(({ key, name, onRemove }) => (
      <li key={key} className="max-w-full">
        <button type="button" className="chip max-w-full" aria-label={`Remove ${name}`} onClick={onRemove}>
          <bdi className="truncate">{name}</bdi>
          <span aria-hidden>×</span>
        </button>
      </li>
    ))}
  </ul>
);

interface LackingProps {
  count: number;
  query: string;
  children: ReactNode;
}

/** What this host cannot run, each with its reason: folded, unless it is what is looked for. */
export const LackingGroup = ({ count, query, children }: LackingProps) =>
  count > 0 && (
    <ChoiceGroup title="Cannot run on this host" count={count} chosen={0} open={query.trim() !== ""}>
      {children}
    </ChoiceGroup>
  );

interface ChoiceGroupProps {
  title: string;
  /** How many it has, and how many of them are ticked. */
  count: number;
  chosen: number;
  open?: boolean;
  children: ReactNode;
}

/** Can be folded; its heading stays in sight while its part of the list is. */
export const ChoiceGroup = ({ title, count, chosen, open = true, children }: ChoiceGroupProps) => (
  <details open={open}>
    <summary className="sticky top-0 z-10 border-line border-b bg-sunk px-4 py-1.5">
      <h3 className="inline font-medium">{title}</h3>{" "}
      <span className="text-ink-2">{chosen > 0 ? `${chosen} of ${count}` : count}</span>
    </summary>
    <ul className="divide-y divide-line border-line border-b">{children}</ul>
  </details>
);
