import { bare } from "@rigmark/messages";
import { runInLanguage } from "@rigmark/results/run-in-language";
import type { Metadata } from "next";
import { EntryFilter } from "@/components/chart/entry-filter";
import { ReportHead } from "@/components/report/report-head";
import { ReportRunView } from "@/components/report/report-run";
import { ReportRuns } from "@/components/report/report-runs";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { legendOf } from "@/lib/results/legend";
import { stylesInRuns } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { pageWords } from "@/server/page-words";
import { loadReport } from "./load-report";

async function openReport({ params }: PageProps<"/r/[slug]">) {
  const w = await pageWords();
  const report = await loadReport((await params).slug, w.language);
  const runs = report.snapshot.runs.map((run) => runInLanguage(w, run));
  return { w, report, runs };
}

export async function generateMetadata(props: PageProps<"/r/[slug]">): Promise<Metadata> {
  const { w, report, runs } = await openReport(props);
  const title = plainLine(report.snapshot.title);
  const sentence = runs[0]?.summary?.sentence ?? w.t("report.description");
  const description = bare(
    runs.length > 1
      ? w.t("report.descriptionOfRun", { n: runs.length, sentence: plainLine(sentence) })
      : plainLine(sentence),
  );
  const lang = w.language === "zh" ? "?lang=zh" : "";
  const url = `${report.url}${lang}`;
  const image = {
    url: `${report.url}/og.png${lang}`,
    width: 1200,
    height: 630,
    alt: description,
  };
  return {
    title,
    description,
    robots: { index: false, follow: false },
    alternates: {
      types: {
        "application/json": `${report.url}.json`,
        "text/markdown": `${report.url}.md${lang}`,
        "application/json+oembed": oembedUrl(url),
      },
      languages: { en: `${report.url}?lang=en`, "zh-CN": `${report.url}?lang=zh` },
    },
    openGraph: { type: "article", siteName: "Rigmark", title, description, url, images: [image] },
    twitter: { card: "summary_large_image", title, description, images: [image] },
  };
}

/** Programs that show a link as what it leads to ask there. */
const oembedUrl = (url: string): string =>
  `${new URL(url).origin}/oembed?${new URLSearchParams({ url, format: "json" })}`;

export default async function ReportPage(props: PageProps<"/r/[slug]">) {
  const { w, report, runs } = await openReport(props);
  const { rigmark_version } = report.snapshot;
  const entries = runs.flatMap((run) => run.entries);
  const styles = stylesInRuns(runs);
  return (
    <>
      <Header context={<p className="hidden py-2.5 text-ink-2 sm:block">{w.t("report.report")}</p>} />
      <Main>
        <ReportHead report={report} />
        <EntryFilter entries={legendOf(entries, styles)}>
          <div className="space-y-12">
            <ReportRuns runs={runs} styles={styles} />
            {runs.map((run, place) => (
              <ReportRunView
                key={run.run_id}
                slug={report.slug}
                run={run}
                styles={styles}
                place={runs.length > 1 ? place : null}
              />
            ))}
          </div>
        </EntryFilter>
        <footer className="mt-12 border-line border-t pt-3 text-[0.929rem] text-ink-2">
          {w.t("report.footer", { version: rigmark_version })}
        </footer>
      </Main>
    </>
  );
}
