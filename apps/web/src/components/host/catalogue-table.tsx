import type { Catalogue } from "@rigmark/protocol";
import { plainLine } from "@/lib/text";
import { ReasonAndCure } from "../ui/prose";

interface Item {
  key: string;
  name: string;
  about: string;
  supported: boolean;
  reason: string | null;
  fix: string | null;
}

/** What works on the host, and for the rest the reason and the cure. */
export function CatalogueTable({ catalogue }: { catalogue: Catalogue }) {
  const servers = catalogue.servers.map((s) => ({
    ...s,
    key: s.name,
    about: [plainLine(s.language), s.workloads.join(" and ")].filter(Boolean).join(", "),
  }));
  const tools = catalogue.tools.map((t) => ({
    ...t,
    key: t.name,
    about: t.version ? plainLine(t.version) : "",
  }));
  const scenarios = catalogue.scenarios.map((s) => ({
    ...s,
    key: s.scenario.id,
    name: s.scenario.title,
    about: `${s.scenario.tool}, ${s.scenario.workload}`,
  }));
  return (
    <div className="space-y-5">
      <Group title="Servers" items={servers} />
      <Group title="Tools" items={tools} />
      <Group title="Scenarios" items={scenarios} />
    </div>
  );
}

/** So many lines are read at once; of longer lists only what does not work stands open. */
const UNFOLDED = 20;

function Group({ title, items }: { title: string; items: Item[] }) {
  const works = items.filter((i) => i.supported).length;
  return (
    <section>
      <h3>
        {title}{" "}
        <span className="font-normal text-ink-2">
          {works} of {items.length} {works === 1 ? "works" : "work"} here
        </span>
      </h3>
      {items.length <= UNFOLDED ? (
        <Items items={items} />
      ) : (
        <>
          <Items items={items.filter((item) => !item.supported)} />
          <details className="mt-1">
            <summary>
              Show the {works} that {works === 1 ? "works" : "work"}
            </summary>
            <Items items={items.filter((item) => item.supported)} />
          </details>
        </>
      )}
    </section>
  );
}

const Items = ({ items }: { items: Item[] }) =>
  items.length > 0 && (
    <ul className="mt-1 divide-y divide-line">
      {items.map((item) => (
        <li key={item.key} className="grid gap-x-4 py-1.5 sm:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <bdi className={item.supported ? "font-medium" : "font-medium text-ink-3"}>
              {plainLine(item.name)}
            </bdi>
          </span>
          <span className="min-w-0 text-ink-2 [overflow-wrap:anywhere]">
            {item.about}
            {!item.supported && (
              <span className="block text-warn">
                <ReasonAndCure reason={item.reason} fix={item.fix} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
