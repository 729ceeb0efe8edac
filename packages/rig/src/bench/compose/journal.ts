import { z } from "zod";
import { CommandError } from "../../say";
import type { App } from "./app";

const Streams = z.array(
  z.object({
    finished: z.boolean(),
    name: z.string(),
    /** What the stream's row says, and what its chunks come to. */
    records: z.int(),
    stored: z.int(),
    /** Chunks missing between the first and the last, and records missing between chunks. */
    chunks_missing: z.int(),
    records_missing: z.int(),
  }),
);

const QUERY = (run: string) => `
  SELECT coalesce(json_agg(s), '[]') FROM (
    SELECT a.finished_at IS NOT NULL AS finished, s.name, s.records, coalesce(sum(c.records), 0) AS stored,
           s.next_seq - count(c.seq) AS chunks_missing,
           count(*) FILTER (WHERE c.first_record_seq <> c.expected) AS records_missing
    FROM attempt a JOIN stream s USING (workspace_id, attempt_id)
    LEFT JOIN (
      SELECT *, coalesce(lag(first_record_seq + records) OVER (PARTITION BY attempt_id, stream ORDER BY seq), 0) AS expected
      FROM chunk
    ) c ON c.workspace_id = s.workspace_id AND c.attempt_id = s.attempt_id AND c.stream = s.name
    WHERE a.run_id = '${run}' GROUP BY a.attempt_no, a.finished_at, s.name, s.records, s.next_seq
  ) s`;

/** Records of a run that its agent wrote; null where one of them is not in the database. */
export async function recordsOf(app: App, run: string): Promise<number | null> {
  if (!/^[0-9a-f-]{36}$/.test(run)) throw new CommandError(`${run} is not a run.`);
  const psql = ["psql", "--username=rigmark", "--dbname=rigmark", "--no-align", "--tuples-only", "-c"];
  const { code, text } = await app.inside("postgres", ...psql, QUERY(run));
  if (code !== 0) throw new CommandError(`The journal cannot be read: ${text.trim()}`);
  const streams = Streams.parse(JSON.parse(text));
  const whole = streams.every(
    (s) => s.finished && s.records === s.stored && s.chunks_missing === 0 && s.records_missing === 0,
  );
  return whole && streams.length > 0 ? streams.reduce((sum, s) => sum + s.records, 0) : null;
}
