import { z } from "zod";
import { noSuchPage } from "../../internal/cursor";
import { iso } from "../../internal/moment";
import { storable } from "../../internal/text";

/** As PostgreSQL takes it. */
const Name = z.string().refine((name) => storable(name) === name);
const Cursor = z.tuple([z.iso.datetime(), z.uuid(), Name, Name]);
/** Newest run, host, scenario and label of a series. */
export type Place = z.infer<typeof Cursor> | [null, null, null, null];

/** The last series of a page: the next page goes on behind it. */
export const encodePlace = (at: Date, hostId: string, scenario: string, label: string): string =>
  Buffer.from(JSON.stringify([iso(at), hostId, scenario, label])).toString("base64url");

/** Nulls without a cursor. */
export function decodePlace(cursor: string | null | undefined): Place {
  if (!cursor) return [null, null, null, null];
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch (cause) {
    throw noSuchPage(cause);
  }
}
