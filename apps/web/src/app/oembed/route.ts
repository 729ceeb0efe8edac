import { limitsIn, reportAddress } from "@/server/frozen/form";
import { reportRoute } from "@/server/report-route";

export const dynamic = "force-dynamic";

/** oEmbed by the address of a report. What can be kept of it server/frozen sends before; here is the rest, such as refusals. */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  if ((searchParams.get("format") ?? "json") !== "json")
    return refused(501, "Only JSON is made here: leave `format` out, or ask for `format=json`.");
  const report = reportAddress(searchParams.get("url"));
  return report
    ? reportRoute(request, report.slug, "oembed", { lang: report.lang, limits: limitsIn(searchParams) })
    : refused(404, "`url` is not the address of a report, such as `https://…/r/SLUG`.");
}

const refused = (status: number, message: string): Response =>
  Response.json(
    { error: { code: status === 404 ? "not_found" : "unsupported", message } },
    { status, headers: { "cache-control": "no-store", "x-robots-tag": "noindex" } },
  );
