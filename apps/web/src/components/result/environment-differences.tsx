import { comparedOf } from "@rigmark/messages";
import type { Environment } from "@rigmark/protocol";
import { type Comparison, compareEnvironments, runName } from "@rigmark/results/comparable";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Said } from "../ui/said";

interface Measured {
  run_id: string;
  environment: Environment | null;
}

/** More are folded away: between two kinds of machine nearly everything differs. */
const SHOWN = 10;

interface ComparedProps {
  names: readonly [string, string];
  found: Comparison;
  /** How many of the differences stand open. */
  shown?: number;
}

/** Whether the runs of a report may be compared: what is not the same of each and the first, or that nothing is. */
export function EnvironmentDifferences({ runs }: { runs: readonly Measured[] }) {
  const w = useWords();
  const [first, ...others] = runs;
  if (!first || others.length === 0) return null;
  const a = { name: runName(0), environment: first.environment };
  return (
    <div className="space-y-4" data-differences>
      {others.map((other, i) => {
        const b = { name: runName(i + 1), environment: other.environment };
        const found = compareEnvironments(a, b);
        const sentence = comparedOf(
          w,
          { place: 0, known: first.environment !== null },
          { place: i + 1, known: other.environment !== null },
          found.differences.length,
        );
        const names = [0, i + 1].map((place) => w.t("report.runs.name", { n: place + 1 }));
        return (
          <Compared
            key={other.run_id}
            names={[names[0] ?? "", names[1] ?? ""]}
            found={{ ...found, sentence }}
          />
        );
      })}
    </div>
  );
}

export function Compared({ names, found, shown = SHOWN }: ComparedProps) {
  const w = useWords();
  const { comparable, sentence, differences } = found;
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
function Differences({ names, of }: { names: readonly [string, string]; of: Comparison["differences"] }) {
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
            <Said text={w.field(plainLine(d.name))} />
          </dt>
          {[d.a, d.b].map((value, i) => (
            <dd key={names[i]} className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-2">
              <span className="text-ink-2">{names[i]}</span>
              <bdi>
                <Said text={w.field(plainLine(value))} />
              </bdi>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
