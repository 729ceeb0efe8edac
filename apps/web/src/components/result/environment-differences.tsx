import { comparedOf, runName, runNames } from "@rigmark/messages";
import type { Environment } from "@rigmark/protocol";
import type { Difference } from "@rigmark/results";
import { compareEnvironments } from "@rigmark/results/comparable";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Text } from "../ui/text";

interface Measured {
  run_id: string;
  environment: Environment | null;
}

/** More are folded away: between two kinds of machine nearly everything differs. */
const SHOWN = 10;

interface ComparedProps {
  /** A place in the report; null for the run that the page is of. */
  a: { place: number | null; environment: Environment | null };
  /** Several places where the differences are the same. */
  b: { place: number | readonly number[]; environment: Environment | null };
  /** How many of the differences stand open. */
  shown?: number;
}

/** Whether the runs of a report may be compared: what is not the same of each and the first, or that nothing is. */
export function EnvironmentDifferences({ runs }: { runs: readonly Measured[] }) {
  const [first, ...others] = runs;
  if (!first || others.length === 0) return null;
  const groups = new Map<string, { places: number[]; environment: Environment | null }>();
  for (const [i, { environment }] of others.entries()) {
    const key = JSON.stringify([environment === null, compareEnvironments(first.environment, environment)]);
    const group = groups.get(key) ?? { places: [], environment };
    group.places.push(i + 1);
    groups.set(key, group);
  }
  return (
    <div className="space-y-4" data-differences>
      {[...groups].map(([key, { places, environment }]) => (
        <Compared
          key={key}
          a={{ place: 0, environment: first.environment }}
          b={{ place: places, environment }}
        />
      ))}
    </div>
  );
}

export function Compared({ a, b, shown = SHOWN }: ComparedProps) {
  const w = useWords();
  const differences = compareEnvironments(a.environment, b.environment);
  const [known, other] = [a.environment !== null, b.environment !== null];
  const sentence = comparedOf(
    w,
    { place: a.place, known },
    { place: b.place, known: other },
    differences.length,
  );
  const comparable = known && other && differences.length === 0;
  const names = [
    runName(w, a.place),
    typeof b.place === "number" ? runName(w, b.place) : runNames(w, b.place),
  ] as const;
  return (
    <div>
      <p className="note" data-tone={comparable ? undefined : "warn"}>
        {plainLine(sentence)}
      </p>
      <Differences names={names} of={differences.slice(0, shown)} />
      {differences.length > shown && (
        <details className="mt-2">
          <summary>{w.t("report.runs.more", { n: differences.length - shown })}</summary>
          <Differences names={names} of={differences.slice(shown)} />
        </details>
      )}
    </div>
  );
}

/** Under each other where there is little room, so that long values need no scrolling. */
function Differences({ names, of }: { names: readonly [string, string]; of: readonly Difference[] }) {
  const w = useWords();
  if (of.length === 0) return null;
  return (
    <dl className="panel @container mt-2 divide-y divide-line text-[0.929rem]">
      {of.map((d) => (
        <div
          key={d.name}
          className="grid gap-x-6 gap-y-0.5 px-3 py-1.5 @2xl:grid-cols-[13rem_minmax(0,1fr)_minmax(0,1fr)] [overflow-wrap:anywhere]"
        >
          <dt className="font-medium">
            <Text text={w.field(plainLine(d.name))} />
          </dt>
          {[d.a, d.b].map((value, i) => (
            <dd key={names[i]} className="grid grid-cols-[minmax(4rem,auto)_minmax(0,1fr)] gap-x-2">
              <span className="text-ink-2">{names[i]}</span>
              <bdi>
                <Text text={w.field(plainLine(value))} />
              </bdi>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
