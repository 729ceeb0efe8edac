import { type ApiDocument, answerApi, document } from "@rigmark/api/v1";
import { env } from "@/env";
import { clientAddress } from "./address";
import { domain } from "./domain";
import { errorOf } from "./response";

/** /api/v1: everything about it is in packages/api. No cookie counts here, and no other site may ask from a page. */
export const publicApi = (request: Request): Promise<Response> =>
  answerApi(request, {
    domain: domain(),
    address: clientAddress(request.headers),
    publicUrl: env().PUBLIC_URL,
    explain: errorOf,
  });

/** The OpenAPI document of this installation. */
export const apiDocument = (): ApiDocument => document(env().PUBLIC_URL);
