import { LOCALES } from "@rigmark/messages";
import type { ExploreItem } from "@rigmark/results";
import { useTranslations } from "next-intl";
import { reportPath } from "@/lib/explore-path";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Text } from "../ui/text";

/** Public reports, one a row: title, verdict, what was measured, on what, and when. */
export const ExploreList = ({ reports }: { reports: readonly ExploreItem[] }) => (
  <ul className="panel divide-y divide-line">
    {reports.map((report) => (
      <li key={report.slug} className="px-4 py-3 [overflow-wrap:anywhere]">
        <Row report={report} />
      </li>
    ))}
  </ul>
);

function Row({ report }: { report: ExploreItem }) {
  const w = useWords();
  const t = useTranslations("public.explore");
  const named = (what: "machines" | "scenarios" | "servers"): string[] => {
    const more = report.more[what];
    return [...report[what].map(plainLine), ...(more > 0 ? [t("more", { n: more })] : [])];
  };
  return (
    <>
      <h2 className="text-[1rem]">
        <a className="link" href={reportPath(report.slug, w.language)}>
          <bdi>{plainLine(report.title)}</bdi>
        </a>
      </h2>
      {report.sentence === null ? (
        <p className="text-ink-2">{t("noVerdict")}</p>
      ) : (
        <p lang={report.language === w.language ? undefined : LOCALES[report.language]}>
          <Text text={sentenceOf(report, w)} />
        </p>
      )}
      <p className="mt-1 text-[0.929rem] text-ink-2">
        <bdi>{w.list(named("servers"))}</bdi>
        {" · "}
        <bdi className="font-mono">{w.list(named("scenarios"))}</bdi>
      </p>
      <p className="text-[0.929rem] text-ink-2">
        {report.machines.length > 0 && (
          <>
            <bdi>{named("machines").join("; ")}</bdi>
            {" · "}
          </>
        )}
        <time dateTime={report.created_at}>{w.moment(report.created_at)}</time>
      </p>
    </>
  );
}

/** Of several runs the verdict is that of the first. */
function sentenceOf({ sentence, runs }: ExploreItem, w: ReturnType<typeof useWords>): string {
  const text = w.sentence(plainLine(sentence ?? ""));
  return runs > 1 ? w.t("report.descriptionOfRun", { n: runs, sentence: text }) : text;
}
