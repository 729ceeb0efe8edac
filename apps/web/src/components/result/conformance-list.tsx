import type { Conformance, VerifyCheck } from "@rigmark/protocol";
import { conformanceInWords } from "@rigmark/results/conformance";
import { plainLine, plainText } from "@/lib/text";

/** How builds conform beyond what their loads ask for: a line each, and what failed behind it. It is not judged. */
export function ConformanceList({
  rows,
}: {
  rows: readonly { name: string; of: Pick<Conformance, "workload" | "checks"> }[];
}) {
  if (rows.length === 0) return null;
  return (
    <ul className="space-y-1">
      {rows.map(({ name, of }) => {
        const failed = of.checks.filter((c: VerifyCheck) => c.status === "failed");
        const line = (
          <>
            <bdi>{plainLine(name)}</bdi>, {of.workload}: {plainText(conformanceInWords(of))}
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
                      {plainLine(c.title)}: {c.message ? plainText(c.message) : "failed"}
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
