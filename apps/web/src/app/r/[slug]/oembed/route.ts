import { reportRoute } from "@/server/report-route";

export const dynamic = "force-dynamic";

export async function GET(
  request: Request,
  { params }: { params: Promise<{ slug: string }> },
): Promise<Response> {
  return reportRoute(request, (await params).slug, "oembed");
}
