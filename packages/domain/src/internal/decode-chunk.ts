import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { JournalRecord, LIMITS, RawRecord, type StreamName } from "@rigmark/protocol";
import { DomainError } from "../error";
import { sha256Hex } from "./secret";

const inflate = promisify(gunzip);
const utf8 = new TextDecoder("utf-8", { fatal: true });

const LIMIT_KIB = LIMITS.chunk_bytes / 1024;
const invalid = (message: string, cause?: unknown) => new DomainError("invalid", message, {}, { cause });

/** Inflates a chunk, and stops as soon as it grows beyond the limit. */
export async function inflateChunk(body: Uint8Array): Promise<Buffer> {
  if (body.length > LIMITS.chunk_bytes) {
    throw new DomainError("too_large", `A chunk is at most ${LIMIT_KIB} KiB; split it.`);
  }
  try {
    return await inflate(body, { maxOutputLength: LIMITS.chunk_bytes });
  } catch (cause) {
    throw (cause as { code?: string }).code === "ERR_BUFFER_TOO_LARGE"
      ? new DomainError("too_large", `A chunk is at most ${LIMIT_KIB} KiB when inflated; split it.`)
      : invalid("The chunk is not gzip; compress it again and send it once more.", cause);
  }
}

export type RecordsOf<S extends StreamName> = (S extends "journal" ? JournalRecord : RawRecord)[];

/** Bytes to records, each checked. The first bad line is named by its number, counted from 1. */
export function parseRecords<S extends StreamName>(bytes: Uint8Array, stream: S): RecordsOf<S> {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw invalid("The chunk is not UTF-8.", cause);
  }
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else throw invalid(`Line ${lines.length} does not end with a line feed; each record must.`);
  const schema = stream === "journal" ? JournalRecord : RawRecord;
  return lines.map((line, i) => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      throw invalid(`Line ${i + 1} is not JSON.`, cause);
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    const where = issue?.path.join(".") || "record";
    throw invalid(
      `Line ${i + 1} is not a record of the ${stream}: ${where}: ${issue?.message ?? "invalid"}`.slice(
        0,
        500,
      ),
    );
  }) as RecordsOf<S>;
}

export interface Decoded<S extends StreamName> {
  bytes: number;
  firstRecordSeq: number;
  records: RecordsOf<S>;
}

/** Everything about a chunk that can be checked without the database. */
export async function decodeChunk<S extends StreamName>(
  stream: S,
  given: { body: Uint8Array; sha256: string; records: number },
): Promise<Decoded<S>> {
  const bytes = await inflateChunk(given.body);
  if (sha256Hex(bytes) !== given.sha256) {
    throw invalid("The sha256 of the chunk is not the one in its header; send it again.");
  }
  const records = parseRecords(bytes, stream);
  if (records.length === 0) throw invalid("The chunk is empty.");
  if (records.length !== given.records) {
    throw invalid(`The chunk has ${records.length} records, but its header says ${given.records}.`);
  }
  const first = records[0]?.seq ?? 0;
  records.forEach((record, i) => {
    if (record.seq !== first + i)
      throw invalid(`Line ${i + 1} has seq ${record.seq}, but ${first + i} was expected.`);
  });
  return { bytes: bytes.length, firstRecordSeq: first, records };
}
