import { releaseFile } from "@/server/release";

export const dynamic = "force-dynamic";

export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  return releaseFile((await params).file);
}
