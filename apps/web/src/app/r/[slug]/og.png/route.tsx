import { wordsIn } from "@rigmark/messages/catalogue";
import { runInLanguage } from "@rigmark/results/run-in-language";
import { TRPCError } from "@trpc/server";
import { ImageResponse } from "next/og";
import { ogFonts } from "@/components/report/og-fonts";
import { ReportPicture } from "@/components/report/report-picture";
import { languageOf } from "@/lib/language";
import { ogTextWith } from "@/lib/og-text";
import { caller } from "@/trpc/caller";

export const runtime = "nodejs";

/** The picture that a link to the report unfurls into. Drawn here; kept and asked about again in server/frozen. */
export async function GET(request: Request, { params }: RouteContext<"/r/[slug]/og.png">): Promise<Response> {
  const { slug } = await params;
  const language = languageOf(new URL(request.url).searchParams.get("lang"), null);
  const w = wordsIn(language);
  try {
    const { snapshot, members_only } = await (await caller()).report.bySlug({ slug, language });
    const spoken = { ...snapshot, runs: snapshot.runs.map((run) => runInLanguage(w, run)) };
    const { fonts, characters } = await ogFonts(language);
    return new ImageResponse(<ReportPicture snapshot={spoken} w={w} text={ogTextWith(characters)} />, {
      width: 1200,
      height: 630,
      fonts,
      headers: {
        "cache-control": members_only ? "private, no-store" : "no-cache",
        "content-security-policy": "default-src 'none'; sandbox",
      },
    });
  } catch (error) {
    if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST"))
      return new Response(`${w.t("public.noReport.short")}\n`, { status: 404 });
    throw error;
  }
}
