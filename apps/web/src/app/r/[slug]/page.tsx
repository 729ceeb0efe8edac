import { inLanguage, type Language } from "@rigmark/results/language";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { ReportHead } from "@/components/report/report-head";
import { ReportRunView } from "@/components/report/report-run";
import { ReportRuns } from "@/components/report/report-runs";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { languageOf } from "@/lib/language";
import { assignStyles } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { loadReport } from "./load-report";

async function openReport({ params, searchParams }: PageProps<"/r/[slug]">) {
  const { lang } = await searchParams;
  const language: Language = languageOf(
    Array.isArray(lang) ? lang[0] : lang,
    (await headers()).get("accept-language"),
  );
  return { language, report: await loadReport((await params).slug, language) };
}

export async function generateMetadata(props: PageProps<"/r/[slug]">): Promise<Metadata> {
  const { report } = await openReport(props);
  const title = plainLine(report.snapshot.title);
  const { runs } = report.snapshot;
  const sentence = runs[0]?.summary?.sentence ?? "A server benchmark, with all its trials.";
  const description = plainLine(runs.length > 1 ? `Run 1 of ${runs.length}: ${sentence}` : sentence);
  const image = { url: `${report.url}/og.png`, width: 1200, height: 630, alt: description };
  return {
    title,
    description,
    robots: { index: false, follow: false },
    alternates: { types: { "application/json": `${report.url}.json`, "text/markdown": `${report.url}.md` } },
    openGraph: { type: "article", siteName: "Rigmark", title, description, url: report.url, images: [image] },
    twitter: { card: "summary_large_image", title, description, images: [image] },
  };
}

export default async function ReportPage(props: PageProps<"/r/[slug]">) {
  const { report, language } = await openReport(props);
  const { runs: frozen, rigmark_version } = report.snapshot;
  const runs = frozen.map((run) => ({ ...run, summary: run.summary && inLanguage(run.summary, language) }));
  const styles = assignStyles(runs.flatMap((run) => run.entries.map((e) => e.key)));
  return (
    <>
      <Header context={<p className="hidden py-2.5 text-ink-2 sm:block">Report</p>} />
      <Main>
        <ReportHead report={report} language={language} />
        <div className="space-y-12">
          <ReportRuns runs={runs} language={language} styles={styles} />
          {runs.map((run, place) => (
            <ReportRunView
              key={run.run_id}
              run={run}
              language={language}
              styles={styles}
              place={runs.length > 1 ? place : null}
            />
          ))}
        </div>
        <footer className="mt-12 border-line border-t pt-3 text-[0.929rem] text-ink-2">
          Frozen by Rigmark {rigmark_version}. What a figure means: its unit and the tool that made it stand
          beside it; where something is unknown, nothing was put in its place.
        </footer>
      </Main>
    </>
  );
}
