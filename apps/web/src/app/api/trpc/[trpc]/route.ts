import { appRouter } from "@rigmark/api";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { errorAnswer, json } from "@/server/answer";
import { apiContext } from "@/server/context";
import { limited } from "@/server/limited";
import { fromTrustedPage } from "@/server/origin";

export const dynamic = "force-dynamic";

const BODY_BYTES = 1024 * 1024;

const handle = async (request: Request): Promise<Response> => {
  if (request.method !== "GET" && !fromTrustedPage(request.headers)) {
    return json(
      { error: { code: "forbidden", message: "This request came from a page of another site." } },
      403,
    );
  }
  let req: Request;
  try {
    req = request.method === "GET" ? request : await limited(request, BODY_BYTES);
  } catch (error) {
    return errorAnswer(error);
  }
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req,
    router: appRouter,
    createContext: () => apiContext(request.headers, request.signal),
  });
};

export { handle as GET, handle as POST };
