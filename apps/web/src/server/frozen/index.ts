import type { IncomingMessage, ServerResponse } from "node:http";
import { findReportHash } from "@rigmark/domain";
import { env } from "@/env";
import { domain } from "../domain";
import { log } from "../log";
import { type Handler, makeDraw } from "./draw";
import { formOf, pathOf, type ReportForm } from "./form";
import { Kept, TooManyError } from "./kept";
import { type Content, makeLookUps } from "./look-ups";
import { type EncodedResponse, encodeResponse, fitted, send, sendBusy } from "./response";

/** Raw and compressed bytes of all forms; a report of 600 trials takes about 5 MiB. */
const KEPT_BYTES = 64 * 1024 ** 2;
/** The cookie that a browser has whose person is signed in. Whether it is right the app finds out. */
const SESSION = /session_token=/;
/** A slug that nobody has: what is not there looks the same under every address. */
const NOBODYS = "-".repeat(22);

/** Answers a request for a form of a report; false where it is for something else, or where this cannot. */
export type Frozen = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

interface AskedForm extends ReportForm {
  /** Ends when whoever asked has gone. */
  gone: AbortSignal;
}

interface Parts {
  ask(slug: string): Promise<Content | null>;
  /** The whole app: it draws what is not kept yet. */
  handler: Handler;
  host: string;
  failed(error: unknown): void;
  now?: () => number;
}

/** Reports never change: each form is drawn once and kept by the hash of its content. */
export function makeFrozen({ ask, handler, host, failed, now }: Parts): Frozen {
  const lookUp = makeLookUps(ask, now);
  const kept = new Kept<EncodedResponse>(KEPT_BYTES);
  const draw = makeDraw(handler, host);

  /** Null where the app itself has to find out who asks. What is for members only is never kept. */
  async function responseTo(asked: AskedForm, signedIn: boolean): Promise<EncodedResponse | null> {
    const content = await lookUp(asked.slug);
    const gone = () => get("gone", NOBODYS, asked, 404);
    if (content?.membersOnly && signedIn) return null;
    if (!content || content.membersOnly) return gone();
    const response = await get(content.sha256, asked.slug, asked, 200);
    // It may have been revoked, or made private, while it was drawn.
    const now = await lookUp(asked.slug);
    return now?.sha256 === content.sha256 && !now.membersOnly ? response : gone();
  }

  const get = (
    content: string,
    slug: string,
    { form, language, gone }: AskedForm,
    status: number,
  ): Promise<EncodedResponse> =>
    kept.get(
      `${content} ${form} ${language}`,
      async () => encodeResponse(await draw(pathOf(slug, { form, language }))),
      (response) => response.status === status,
      gone,
    );

  return async (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const asked = formOf(request.url ?? "", request.headers["accept-language"]);
    if (!asked) return false;
    const leaving = new AbortController();
    const gone = leaving.signal;
    response.once("close", () => leaving.abort());
    try {
      const found = await responseTo({ ...asked, gone }, SESSION.test(request.headers.cookie ?? ""));
      if (!found) return false;
      send(request, response, await fitted(found, asked.limits), asked.negotiated);
      return true;
    } catch (error) {
      if (gone.aborted) return true;
      if (error instanceof TooManyError) {
        sendBusy(response, asked.language);
        return true;
      }
      failed(error);
      return response.headersSent;
    }
  };
}

/** Of this app. */
export const openFrozen = (handler: Handler): Frozen =>
  makeFrozen({
    ask: (slug) => findReportHash({ ctx: domain().as({ kind: "anonymous" }), input: { slug } }),
    handler,
    host: new URL(env().PUBLIC_URL).host,
    failed: (error) => log().warn({ err: error }, "A report could not be kept; the app renders it."),
  });
