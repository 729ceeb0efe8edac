import { TRPCError } from "@trpc/server";
import { ImageResponse } from "next/og";
import { ogFonts } from "@/components/report/og-fonts";
import { ReportPicture } from "@/components/report/report-picture";
import { caller } from "@/trpc/caller";

export const runtime = "nodejs";

/** The picture that a link to the report unfurls into. Drawn here; kept and asked about again in server/frozen. */
export async function GET(_: Request, { params }: RouteContext<"/r/[slug]/og.png">): Promise<Response> {
  const { slug } = await params;
  try {
    const report = await (await caller()).report.bySlug({ slug });
    return new ImageResponse(<ReportPicture snapshot={report.snapshot} />, {
      width: 1200,
      height: 630,
      fonts: await ogFonts(),
      headers: { "cache-control": "no-cache", "content-security-policy": "default-src 'none'; sandbox" },
    });
  } catch (error) {
    if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST"))
      return new Response("There is no such report, or it was revoked.\n", { status: 404 });
    throw error;
  }
}
