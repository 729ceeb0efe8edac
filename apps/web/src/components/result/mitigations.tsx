import { plainLine } from "@/lib/text";

/** Many lines that few read: folded. */
export function Mitigations({ known }: { known: Record<string, string> }) {
  const all = Object.entries(known);
  if (all.length === 0) return <>none reported</>;
  return (
    <details>
      <summary>{all.length} reported</summary>
      <ul className="mt-1 text-[0.929rem] text-ink-2">
        {all.map(([name, state]) => (
          <li key={name}>
            {plainLine(name)}: {plainLine(state)}
          </li>
        ))}
      </ul>
    </details>
  );
}
