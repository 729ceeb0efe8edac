import { differences } from "@rigmark/domain/differences";
import type { Environment } from "@rigmark/protocol";
import { plainLine } from "@/lib/text";

interface Measured {
  run_id: string;
  title: string;
  environment: Environment | null;
}

/** Whether the runs of a report may be compared: what is not the same of each and the first, or that nothing is. */
export function EnvironmentDifferences({ runs }: { runs: readonly Measured[] }) {
  const [first, ...others] = runs;
  if (!first || others.length === 0) return null;
  return (
    <section className="space-y-4" data-differences>
      <h2>Environments</h2>
      {others.map((other) => (
        <Pair key={other.run_id} a={first} b={other} />
      ))}
    </section>
  );
}

function Pair({ a, b }: { a: Measured; b: Measured }) {
  const [ours, theirs] = [plainLine(a.title) || "the first run", plainLine(b.title) || "the other run"];
  if (!a.environment || !b.environment)
    return (
      <p className="note" data-tone="warn">
        Not comparable: the environment of <bdi>{a.environment ? theirs : ours}</bdi> is not known.
      </p>
    );
  const found = differences(a.environment, b.environment);
  if (found.length === 0)
    return (
      <p className="note">
        <bdi>{ours}</bdi> and <bdi>{theirs}</bdi> were measured in the same environment.
      </p>
    );
  return (
    <div>
      <p className="note mb-2" data-tone="warn">
        <bdi>{ours}</bdi> and <bdi>{theirs}</bdi> are not comparable as they are: {found.length} of the things
        that have to be the same {found.length === 1 ? "is" : "are"} not.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll-x panel" tabIndex={0} aria-label={`Differences of ${ours} and ${theirs}`}>
        <table className="grid-table">
          <caption className="sr-only">What is not the same</caption>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">
                <bdi>{ours}</bdi>
              </th>
              <th scope="col">
                <bdi>{theirs}</bdi>
              </th>
            </tr>
          </thead>
          <tbody>
            {found.map((d) => (
              <tr key={d.name}>
                <th scope="row">{plainLine(d.name)}</th>
                <td>{plainLine(d.a)}</td>
                <td>{plainLine(d.b)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
