import { conformanceOf } from "@rigmark/messages";
import type { Conformance, VerifyCheck } from "@rigmark/protocol";
import { plainLine, plainText } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Text } from "../ui/text";

/** How builds conform beyond what their loads ask for: a line each, and what failed behind it. It is not judged. */
export function ConformanceList({
  rows,
}: {
  rows: readonly { name: string; of: Pick<Conformance, "workload" | "checks"> }[];
}) {
  const w = useWords();
  if (rows.length === 0) return null;
  return (
    <ul className="space-y-1">
      {rows.map(({ name, of }) => {
        const failed = of.checks.filter((c: VerifyCheck) => c.status === "failed");
        const line = (
          <>
            <bdi>{plainLine(name)}</bdi>
            {w.t("ui.comma")}
            {of.workload}
            {w.t("ui.colon")}
            <Text text={conformanceOf(w, { ...of, checks: of.checks.map(plainCheck) })} />
          </>
        );
        return (
          <li key={`${name} ${of.workload}`} className="[overflow-wrap:anywhere]">
            {failed.length < 2 ? (
              line
            ) : (
              <details>
                <summary>{line}</summary>
                <ul className="mt-1 list-disc pl-5 text-[0.929rem] text-ink-2">
                  {failed.map((c: VerifyCheck) => (
                    <li key={c.id}>
                      <Text text={w.phrase(plainLine(c.title))} />
                      {w.t("ui.colon")}
                      <Text text={c.message ? w.phrase(plainText(c.message)) : w.t("report.verify.failed")} />
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const plainCheck = (check: VerifyCheck) => ({
  status: check.status,
  title: plainLine(check.title),
  message: check.message === null ? null : plainText(check.message),
});
