import { appRouter } from "@rigmark/api";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { json } from "@/server/answer";
import { apiContext } from "@/server/context";
import { fromTrustedPage } from "@/server/origin";

export const dynamic = "force-dynamic";

const handle = (request: Request): Promise<Response> | Response => {
  if (request.method !== "GET" && !fromTrustedPage(request.headers)) {
    return json(
      { error: { code: "forbidden", message: "This request came from a page of another site." } },
      403,
    );
  }
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    createContext: () => apiContext(request.headers, request.signal),
  });
};

export { handle as GET, handle as POST };
