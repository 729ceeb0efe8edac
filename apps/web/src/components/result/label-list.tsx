import type { PlanEntry, RunLabel } from "@rigmark/protocol";
import { plainLine, plainText } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Text } from "../ui/text";

/** What a reader of the whole run must know, such as `unsandboxed`. */
export function LabelList({
  labels,
  entries,
}: {
  labels: readonly RunLabel[];
  entries: readonly PlanEntry[];
}) {
  const w = useWords();
  if (labels.length === 0) return null;
  return (
    <ul className="space-y-2">
      {labels.map((label) => {
        const entry = entries.find((e) => e.key === label.entry_key);
        return (
          <li key={`${label.code}:${label.entry_key}:${label.message}`} className="note" data-tone="warn">
            <code>{label.code}</code>
            {entry && (
              <>
                {" "}
                <bdi>{plainLine(entry.label)}</bdi>
              </>
            )}
            {w.t("ui.colon")}
            <Text text={w.coded({ code: label.code, message: plainText(label.message) })} />
          </li>
        );
      })}
    </ul>
  );
}
