import { all, type Query, type Queryable, run, sql } from "@rigmark/db";
import type { RecordOf } from "@rigmark/protocol";

export interface AttemptKey {
  workspaceId: string;
  attemptId: string;
}

/** Counters of one moment, as the agent read them. */
export interface StoredSample {
  seq: number;
  t_us: number;
  measured: boolean;
  requests: number | null;
  /** When the tool printed the count; null where the agent did not say. */
  requests_t_us: number | null;
  loopback_bytes: number | null;
  server_cpu_us: number | null;
  server_rss_bytes: number | null;
  tool_cpu_us: number | null;
}
interface StoredSeries {
  trialId: string;
  samples: StoredSample[];
}

/** The one place that knows how samples are kept: a row a trial and chunk, an array a counter, nulls kept. */
export const SampleStore = { append, read, downsample };

const COUNTERS = {
  requests: (s) => s.requests,
  requests_t_us: (s) => s.requests_t_us,
  loopback_bytes: (s) => s.loopback_bytes,
  server_cpu_us: (s) => s.server?.cpu_us ?? null,
  server_rss_bytes: (s) => s.server?.rss_bytes ?? null,
  server_processes: (s) => s.server?.processes ?? null,
  server_threads: (s) => s.server?.threads ?? null,
  server_context_switches: (s) => s.server?.context_switches ?? null,
  tool_cpu_us: (s) => s.tool?.cpu_us ?? null,
  tool_rss_bytes: (s) => s.tool?.rss_bytes ?? null,
  tool_processes: (s) => s.tool?.processes ?? null,
  tool_threads: (s) => s.tool?.threads ?? null,
  tool_context_switches: (s) => s.tool?.context_switches ?? null,
  host_cpu_busy_us: (s) => s.host.cpu_busy_us,
  host_cpu_total_us: (s) => s.host.cpu_total_us,
  host_cpu_steal_us: (s) => s.host.cpu_steal_us,
  host_load1: (s) => s.host.load1,
  host_memory_available_bytes: (s) => s.host.memory_available_bytes,
  host_temperature_millic: (s) => s.host.temperature_millic,
  host_frequency_khz: (s) => s.host.frequency_khz,
} satisfies Record<string, (sample: RecordOf<"sample">["data"]) => number | null>;
const NAMES = Object.keys(COUNTERS) as (keyof typeof COUNTERS)[];
const TYPES = NAMES.map((name) => (name === "host_load1" ? "float8[]" : "int8[]"));

/** Adds the samples of one chunk. Called once a chunk, inside the transaction that stores it. */
async function append(
  tx: Queryable,
  key: AttemptKey,
  chunkSeq: number,
  records: RecordOf<"sample">[],
): Promise<void> {
  const byTrial = new Map<string, RecordOf<"sample">[]>();
  for (const r of records) byTrial.set(r.data.trial_id, [...(byTrial.get(r.data.trial_id) ?? []), r]);
  for (const [trialId, list] of byTrial) {
    const columns = NAMES.map((name) => list.map((r) => COUNTERS[name](r.data)));
    const arrays = columns.map((_, i) => `$${i + 9}::${TYPES[i]}`).join(", ");
    await run(tx, {
      text: `INSERT INTO sample_chunk (workspace_id, attempt_id, trial_id, chunk_seq, first_seq, last_seq, seq, t_us, measured,
               ${NAMES.join(", ")})
             VALUES ($1, $2, $3, $4, $5, ($6::int8[])[array_upper($6::int8[], 1)], $6::int8[], $7::int8[], $8::bool[], ${arrays})`,
      values: [
        ...[key.workspaceId, key.attemptId, trialId, chunkSeq, list[0]?.seq ?? 0],
        ...[list.map((r) => r.seq), list.map((r) => r.t_us), list.map((r) => r.data.window === "measure")],
        ...columns,
      ],
    });
  }
}

interface Row {
  trial_id: string;
  seq: number[];
  t_us: number[];
  measured: boolean[];
  requests: (number | null)[];
  requests_t_us: (number | null)[] | null;
  loopback_bytes: (number | null)[];
  server_cpu_us: (number | null)[];
  server_rss_bytes: (number | null)[];
  tool_cpu_us: (number | null)[];
}

/**
 * Samples in order, a list a trial. With `afterSeq`: only trials that have newer ones, from the chunk before on, so
 * that there is something to subtract from.
 */
async function read(
  db: Queryable,
  key: AttemptKey,
  filter: { trialIds?: string[]; afterSeq?: number } = {},
): Promise<StoredSeries[]> {
  const of = sql`workspace_id = ${key.workspaceId} AND attempt_id = ${key.attemptId}`;
  const trials: Query = filter.trialIds ? sql`trial_id = ANY(${filter.trialIds}::uuid[])` : sql`true`;
  const after: Query =
    filter.afterSeq === undefined
      ? sql`true`
      : sql`chunk_seq >= (SELECT coalesce(
              max(p.chunk_seq) FILTER (WHERE p.last_seq <= ${filter.afterSeq}),
              min(p.chunk_seq) FILTER (WHERE p.last_seq > ${filter.afterSeq}))
            FROM sample_chunk p WHERE p.workspace_id = c.workspace_id AND p.attempt_id = c.attempt_id
              AND p.trial_id = c.trial_id HAVING max(p.last_seq) > ${filter.afterSeq})`;
  const rows = await all<Row>(
    db,
    sql`SELECT trial_id, seq, t_us, measured, requests, requests_t_us, loopback_bytes,
          server_cpu_us, server_rss_bytes, tool_cpu_us
        FROM sample_chunk c WHERE ${of} AND ${trials} AND ${after} ORDER BY chunk_seq`,
  );
  const series = new Map<string, StoredSample[]>();
  for (const row of rows) {
    const samples = series.get(row.trial_id) ?? [];
    series.set(row.trial_id, samples);
    row.seq.forEach((seq, i) => {
      samples.push({
        seq,
        t_us: row.t_us[i] ?? 0,
        measured: row.measured[i] ?? false,
        requests: row.requests[i] ?? null,
        requests_t_us: row.requests_t_us?.[i] ?? null,
        loopback_bytes: row.loopback_bytes[i] ?? null,
        server_cpu_us: row.server_cpu_us[i] ?? null,
        server_rss_bytes: row.server_rss_bytes[i] ?? null,
        tool_cpu_us: row.tool_cpu_us[i] ?? null,
      });
    });
  }
  return [...series].map(([trialId, samples]) => ({ trialId, samples }));
}

/**
 * At most about `max` samples. Counters are cumulative, so leaving some out averages over a longer time. Of levels, such as
 * memory, what was between two kept samples is not drawn. First, last and the change of window always stay.
 */
function downsample<S extends StoredSample>(samples: S[], max: number): S[] {
  if (samples.length <= max) return samples;
  const every = Math.ceil(samples.length / max);
  return samples.filter(
    (s, i) =>
      i % every === 0 ||
      i === samples.length - 1 ||
      samples[i + 1]?.measured !== s.measured ||
      samples[i - 1]?.measured !== s.measured,
  );
}
