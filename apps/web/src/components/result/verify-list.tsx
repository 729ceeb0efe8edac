import { formatNumber } from "@rigmark/metrics";
import type { Conformance, PlanEntry } from "@rigmark/protocol";
import type { VerifyView } from "@rigmark/results";
import { useTranslations } from "next-intl";
import { plainLine, plainText } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Term } from "../ui/term";
import { Text } from "../ui/text";
import { ConformanceList } from "./conformance-list";

/** Failed checks with both byte counts, and how many passed. */
export function VerifyList({
  verify,
  conformance,
  entries,
}: {
  verify: readonly VerifyView[];
  conformance: readonly Conformance[];
  entries: readonly PlanEntry[];
}) {
  const w = useWords();
  const t = useTranslations("report.verify");
  const label = (key: string) => plainLine(entries.find((e) => e.key === key)?.label ?? t("unknownEntry"));
  const failed = verify.filter((v) => v.status === "failed");
  const checks = verify.flatMap((v) => v.checks);
  const count = (status: string) => checks.filter((c) => c.status === status).length;
  if (verify.length === 0) return <p className="text-ink-2">{t("none")}</p>;
  return (
    <div>
      <p className="text-ink-2">
        {t("count", { n: verify.length, passed: count("passed") })}
        {count("failed") > 0 ? t("failedCount", { n: count("failed") }) : ""}
        {count("skipped") > 0 ? t("skippedCount", { n: count("skipped") }) : ""}
        {t("end")}
      </p>
      {failed.length > 0 && (
        <ul className="mt-3 space-y-3">
          {dedupe(failed).map(({ key, view, times }) => (
            <li key={key} className="note" data-tone="bad">
              <p className="font-medium">
                {t.rich(FAILED[view.when], {
                  name: () => <bdi key="name">{label(view.entry_key)}</bdi>,
                  workload: view.workload,
                  times: times > 1 ? t("times", { n: times }) : "",
                })}
              </p>
              <ul className="mt-1 text-[0.929rem]">
                {view.checks
                  .filter((c) => c.status === "failed")
                  .map((c) => (
                    <li key={c.id} className="[overflow-wrap:anywhere]">
                      <Text text={w.phrase(plainLine(c.title))} />
                      {w.t("ui.colon")}
                      <Text text={c.message ? w.phrase(plainText(c.message)) : t("failed")} />
                      {c.expected_bytes !== null && c.actual_bytes !== null && (
                        <span className="text-ink-2">
                          {" "}
                          {t("bytes", {
                            actual: formatNumber(c.actual_bytes),
                            expected: formatNumber(c.expected_bytes),
                          })}
                        </span>
                      )}
                    </li>
                  ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
      {conformance.length > 0 && (
        <div className="mt-4">
          <h3 className="mb-1">
            <Term id="conformance">{t("conformance")}</Term>
          </h3>
          <p className="mb-1 text-ink-2">{t("conformanceNote")}</p>
          <ConformanceList rows={conformance.map((of) => ({ name: label(of.entry_key), of }))} />
        </div>
      )}
    </div>
  );
}

const FAILED = { before: "failedBefore", during: "failedDuring", after: "failedAfter" } as const;

interface Failure {
  key: string;
  view: VerifyView;
  times: number;
}
/** The same failure in every block is one line. Scenarios of one workload may fail in different ways. */
function dedupe(failed: readonly VerifyView[]): Failure[] {
  const seen = new Map<string, Failure>();
  for (const view of failed) {
    const why = view.checks.filter((c) => c.status === "failed").map((c) => [c.id, c.message]);
    const key = JSON.stringify([view.entry_key, view.when, view.workload, why]);
    const known = seen.get(key);
    if (known) known.times += 1;
    else seen.set(key, { key, view, times: 1 });
  }
  return [...seen.values()];
}
