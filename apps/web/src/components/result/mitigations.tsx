import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Text } from "../ui/text";

/** Many lines that few read: folded. */
export function Mitigations({ known }: { known: Record<string, string> }) {
  const w = useWords();
  const all = Object.entries(known);
  if (all.length === 0) return <>{w.t("report.environment.noneReported")}</>;
  return (
    <details>
      <summary>{w.t("report.environment.reported", { n: all.length })}</summary>
      <ul className="mt-1 text-[0.929rem] text-ink-2">
        {all.map(([name, state]) => (
          <li key={name}>
            <Text text={w.name(`${plainLine(name)}: ${plainLine(state)}`)} />
          </li>
        ))}
      </ul>
    </details>
  );
}
