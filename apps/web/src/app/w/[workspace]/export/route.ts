import { exportWorkspace } from "@rigmark/domain";
import { apiContext } from "@/server/context";
import { errorResponse } from "@/server/response";

export const dynamic = "force-dynamic";

/** The workspace as one JSON file, sent while it is read. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ workspace: string }> },
): Promise<Response> {
  const { workspace } = await params;
  try {
    const { ctx } = await apiContext(request.headers, request.signal);
    const pieces = exportWorkspace({ ctx, input: { workspace } });
    // Whoever may not have it gets a refusal, not half a file.
    const first = await pieces.next();
    return new Response(streamOf(first, pieces), {
      headers: {
        "content-type": "application/json; charset=utf-8",
        // Anybody can ask for any name; only one that exists comes this far.
        "content-disposition": `attachment; filename="rigmark-${workspace}.json"`,
        "cache-control": "no-store",
      },
    });
  } catch (error) {
    return errorResponse(error);
  }
}

function streamOf(first: IteratorResult<string>, rest: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: IteratorResult<string> | null = first;
  return new ReadableStream({
    pull: async (controller) => {
      const piece = next ?? (await rest.next());
      next = null;
      if (piece.done) controller.close();
      else controller.enqueue(encoder.encode(piece.value));
    },
    cancel: async () => {
      await rest.return(undefined);
    },
  });
}
