import { appRouter } from "@rigmark/api";
import { isDomainError } from "@rigmark/domain";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { languageOfHeaders } from "@/lib/language";
import { apiContext } from "@/server/context";
import { limited } from "@/server/limited";
import { fromTrustedPage } from "@/server/origin";
import { errorResponse } from "@/server/response";
import { inReadersLanguage } from "@/server/translate-refusal";
import { BODY_BYTES, MOST_CALLS, refusalOf, refuse } from "@/server/trpc-bounds";

export const dynamic = "force-dynamic";

const handle = async (request: Request): Promise<Response> => {
  if (request.method !== "GET" && !fromTrustedPage(request.headers)) {
    return refuse({
      status: 403,
      code: "FORBIDDEN",
      message: "This request came from a page of another site.",
    });
  }
  const refusal = refusalOf(request.url);
  if (refusal) return refuse(refusal);
  let req: Request;
  try {
    req = request.method === "GET" ? request : await limited(request, BODY_BYTES);
  } catch (error) {
    return isDomainError(error) && error.code === "too_large"
      ? refuse({ status: 413, code: "PAYLOAD_TOO_LARGE", message: error.message })
      : errorResponse(error);
  }
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req,
    router: appRouter,
    maxBatchSize: MOST_CALLS,
    createContext: () => apiContext(request.headers, request.signal),
  });
};

/** What forms on pages in both languages send; what one sees only when signed in is in English. */
const IN_BOTH_LANGUAGES = /\/(?:invitation\.accept|setup\.claim)$/;

const handlePost = async (request: Request): Promise<Response> => {
  const response = await handle(request);
  if (!IN_BOTH_LANGUAGES.test(new URL(request.url).pathname)) return response;
  return inReadersLanguage(response, languageOfHeaders(request.headers));
};

export { handle as GET, handlePost as POST };
