import { TRPCError } from "@trpc/server";
import { ImageResponse } from "next/og";
import { ogFonts } from "@/components/report/og-fonts";
import { ReportPicture } from "@/components/report/report-picture";
import { caller } from "@/trpc/caller";

export const runtime = "nodejs";

/** The picture that a link to the report unfurls into. Frozen like the report; asked for anew, so that a revoked one goes. */
export async function GET(request: Request, { params }: RouteContext<"/r/[slug]/og.png">): Promise<Response> {
  const { slug } = await params;
  try {
    const report = await (await caller()).report.bySlug({ slug });
    const etag = `"${slug}-${report.snapshot.report}"`;
    const headers = {
      "cache-control": "no-cache",
      "content-security-policy": "default-src 'none'; sandbox",
      etag,
    };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    return new ImageResponse(<ReportPicture snapshot={report.snapshot} />, {
      width: 1200,
      height: 630,
      fonts: await ogFonts(),
      headers,
    });
  } catch (error) {
    if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST"))
      return new Response("There is no such report, or it was revoked.\n", { status: 404 });
    throw error;
  }
}
