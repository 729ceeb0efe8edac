import { runInLanguage } from "@rigmark/results/run-in-language";
import type { Metadata } from "next";
import { EmbedTheme } from "@/components/report/embed-theme";
import { ReportEmbed } from "@/components/report/report-embed";
import { plainLine } from "@/lib/text";
import { pageWords } from "@/server/page-words";
import { loadReport } from "../../../r/[slug]/load-report";

async function openReport({ params }: PageProps<"/embed/r/[slug]">) {
  const w = await pageWords();
  return { w, report: await loadReport((await params).slug, w.language) };
}

export async function generateMetadata(props: PageProps<"/embed/r/[slug]">): Promise<Metadata> {
  const { report } = await openReport(props);
  return { title: plainLine(report.snapshot.title), robots: { index: false, follow: false } };
}

/** What other pages show in a frame. The only page that may stand in one (next.config.ts, src/proxy.ts). */
export default async function EmbeddedReport(props: PageProps<"/embed/r/[slug]">) {
  const { w, report } = await openReport(props);
  const { snapshot, url } = report;
  const runs = snapshot.runs.map((run) => runInLanguage(w, run));
  return (
    <>
      <EmbedTheme />
      <ReportEmbed snapshot={{ ...snapshot, runs }} url={url} />
    </>
  );
}
