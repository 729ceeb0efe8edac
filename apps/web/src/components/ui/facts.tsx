import type { ReactNode } from "react";
import type { TermId } from "@/docs/terms";
import { useWords } from "@/lib/words";
import { MaybeTerm } from "./term";
import { Text } from "./text";

export type Fact = readonly [name: string, value: ReactNode, term?: TermId];

/** Name and value pairs. What is unknown is said to be. */
export function Facts({ rows, columns = 2 }: { rows: readonly Fact[]; columns?: 1 | 2 }) {
  const w = useWords();
  return (
    <dl className={`grid gap-x-8 ${columns === 2 ? "sm:grid-cols-2" : ""}`}>
      {rows.map(([name, value, term], place) => (
        // A server may be called as another row is.
        <div
          key={`${place} ${name}`}
          className="grid grid-cols-[9rem_minmax(0,1fr)] gap-3 border-line border-b py-1.5"
        >
          <dt className="min-w-0 text-ink-2 [overflow-wrap:anywhere]">
            <MaybeTerm id={term}>
              <Text text={name} />
            </MaybeTerm>
          </dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            {value === null || value === undefined || value === "" ? (
              <span className="text-ink-3">{w.t("ui.unknown")}</span>
            ) : typeof value === "string" ? (
              <Text text={value} />
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
