import { z } from "zod";
import { DomainError } from "../error";
import { iso } from "./moment";

const Cursor = z.tuple([z.iso.datetime(), z.uuid()]);

/** Of a cursor that no page gave. */
export const noSuchPage = (cause?: unknown): DomainError =>
  new DomainError(
    "invalid",
    "This page of the list does not exist; begin with the first one.",
    {},
    { cause },
  );

/** The last thing of a page, by moment and id: the next page goes on behind it. */
export const encodeCursor = (at: Date, id: string): string =>
  Buffer.from(JSON.stringify([iso(at), id])).toString("base64url");

/** Two nulls without a cursor. */
export function decodeCursor(cursor: string | null | undefined): [string, string] | [null, null] {
  if (!cursor) return [null, null];
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch (cause) {
    throw noSuchPage(cause);
  }
}
