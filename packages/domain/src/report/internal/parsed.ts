import { ReportSnapshot } from "@rigmark/results";
import { completeSummary } from "../../internal/run/complete-summary";

export interface Parsed {
  snapshot: ReportSnapshot;
  /** Of its text. */
  bytes: number;
}

/** Text of the reports that a process keeps parsed; parsed they take several times as much. */
const KEPT_BYTES = 16 * 1024 ** 2;

interface Memory {
  /** By the hash of the text; what was asked for last is at the end. */
  kept: Map<string, Parsed>;
  bytes: number;
}
// Next loads this module once for pages and once for routes.
const shared = globalThis as typeof globalThis & { __rigmarkParsed?: Memory };
const memory: Memory = shared.__rigmarkParsed ?? { kept: new Map(), bytes: 0 };
shared.__rigmarkParsed = memory;
const { kept } = memory;

export function keptSnapshot(sha256: string): Parsed | null {
  const found = kept.get(sha256);
  if (!found) return null;
  kept.delete(sha256);
  kept.set(sha256, found);
  return found;
}

/** Everybody waits while megabytes are parsed, so a process does it once: a report never changes, nor may who gets it change it. */
export function parseSnapshot(sha256: string, text: string): Parsed {
  // Somebody else may have asked for it while the text was read.
  const known = keptSnapshot(sha256);
  if (known) return known;
  const snapshot = ReportSnapshot.parse(JSON.parse(text));
  const parsed = {
    snapshot: { ...snapshot, runs: snapshot.runs.map(completeSummary) },
    bytes: Buffer.byteLength(text),
  };
  kept.set(sha256, parsed);
  memory.bytes += parsed.bytes;
  for (const [oldest, { bytes }] of kept) {
    if (memory.bytes <= KEPT_BYTES) break;
    kept.delete(oldest);
    memory.bytes -= bytes;
  }
  return parsed;
}
