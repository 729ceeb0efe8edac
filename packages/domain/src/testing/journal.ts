import { createHash, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import type {
  BandColumn,
  HostFacts,
  JournalKind,
  JournalRecord,
  Lease,
  PlanTrial,
  RawRecord,
  RecordOf,
  Scenario,
  StreamTotals,
} from "@rigmark/protocol";
import { blockRange } from "@rigmark/results/blocks";

const sha = (data: Uint8Array | string) => createHash("sha256").update(data);

export interface TestChunk {
  seq: number;
  sha256: string;
  records: number;
  bytes: number;
  body: Buffer;
}

/** Records to a chunk, as an agent packs it. */
export function packChunk(seq: number, records: (JournalRecord | RawRecord)[]): TestChunk {
  const text = Buffer.from(records.map((r) => `${JSON.stringify(r)}\n`).join(""));
  return {
    seq,
    sha256: sha(text).digest("hex"),
    records: records.length,
    bytes: text.length,
    body: gzipSync(text),
  };
}

export function packChunks(records: (JournalRecord | RawRecord)[], perChunk: number): TestChunk[] {
  const chunks: TestChunk[] = [];
  for (let i = 0; i < records.length; i += perChunk)
    chunks.push(packChunk(chunks.length, records.slice(i, i + perChunk)));
  return chunks;
}

export function totalsOf(chunks: TestChunk[]): StreamTotals {
  let digest = sha("").digest();
  for (const c of chunks) digest = sha(Buffer.concat([digest, Buffer.from(c.sha256, "hex")])).digest();
  return {
    chunks: chunks.length,
    records: chunks.reduce((n, c) => n + c.records, 0),
    bytes: chunks.reduce((n, c) => n + c.bytes, 0),
    digest: digest.toString("hex"),
  };
}

export interface JournalOptions {
  facts: HostFacts;
  scenarios: Scenario[];
  /** Requests a second of each entry, by label. */
  rates: Record<string, number>;
  /** Entries that fail verification, with the sentence. */
  broken?: Record<string, string>;
  /** Labels of entries whose trials the load tool limited: their rates are lower bounds. */
  toolBound?: readonly string[];
  samples?: number;
  /** Of a run with a precision: after how many blocks it ends. */
  endsAfter?: number;
  /** HDR blob that every trial has, as of a tool that gives one. */
  histogram?: string;
  /** The same second by second, as of a tool that tells. */
  over_time?: readonly Pick<BandColumn, "first" | "counts">[];
}

/** The journal of a run in which everything goes as planned, with made-up figures. */
export function writeJournal(lease: Lease, o: JournalOptions): JournalRecord[] {
  const records: JournalRecord[] = [];
  let t_us = 1_000_000;
  const add = <K extends JournalKind>(kind: K, data: RecordOf<K>["data"], plusUs = 1000) => {
    t_us += plusUs;
    records.push({ v: 1, seq: records.length, t_us, kind, data } as RecordOf<K>);
  };
  const { spec } = lease;
  const entries = spec.entries.map((e) => ({
    key: sha(`${e.label} ${e.server}`).digest("hex"),
    label: e.label,
    server: e.server,
    title: e.server,
    content_hash: sha(e.server).digest("hex"),
    options: e.options,
    baseline: e.label === (spec.baseline ?? spec.entries[0]?.label),
  }));
  const { least, most } = blockRange(spec);
  const trials: PlanTrial[] = o.scenarios.flatMap((s) =>
    Array.from({ length: most }, (_, block) =>
      entries.map((e, position) => ({
        trial_id: randomUUID(),
        entry_key: e.key,
        scenario: s.id,
        block,
        position,
        slices: 1,
        warmup_s: spec.warmup_s ?? s.warmup_s,
        duration_s: spec.duration_s ?? s.duration_s,
      })),
    ).flat(),
  );
  add("begin", {
    run_id: lease.run_id,
    attempt_id: lease.attempt_id,
    attempt_no: lease.attempt_no,
    wall_us: Date.now() * 1000,
    boot_id: o.facts.boot_id,
    agent_version: o.facts.agent_version,
    spec,
  });
  add("environment", {
    facts: o.facts,
    tools: [{ name: "ab", version: "2.3" }],
    load1_before: 0.1,
    sandboxed: true,
    control_plane_same_host: lease.control_plane_same_host,
    fingerprint: sha(JSON.stringify(o.facts)).digest("hex"),
    tuned: [],
    core_split: "server 0-1, tool 2-3",
  });
  const planned_s = trials.reduce((s, t) => s + t.warmup_s + t.duration_s + 1, 0);
  add("plan", {
    seed: spec.seed,
    prng: "splitmix64",
    shuffle: "fisher-yates",
    entries,
    scenarios: o.scenarios,
    trials,
    planned_s,
    blocks: { least, most, looks: least < most ? [least, most] : [most], precision: spec.precision },
    reserve: [],
    time_limit_s: null,
  });
  const phase = (
    name: RecordOf<"phase">["data"]["phase"],
    status: "begin" | "end",
    entry: string | null,
    trial: string | null,
  ) => add("phase", { phase: name, status, entry_key: entry, trial_id: trial, message: null });
  for (const e of entries) {
    phase("build", "begin", e.key, null);
    add("log", {
      source: "build",
      level: "info",
      entry_key: e.key,
      trial_id: null,
      line: `cc -o ${e.server}`,
    });
    phase("build", "end", e.key, null);
    const broken = o.broken?.[e.label];
    add("verify", {
      entry_key: e.key,
      trial_id: null,
      when: "before",
      workload: o.scenarios[0]?.workload ?? "static",
      status: broken ? "failed" : "passed",
      checks: [
        {
          id: "body",
          title: "the body is whole",
          status: broken ? "failed" : "passed",
          message: broken ?? null,
          expected_bytes: broken ? 10_485_760 : null,
          actual_bytes: broken ? 5_242_880 : null,
        },
      ],
    });
  }
  const ends = o.endsAfter ?? most;
  const needed = trials.filter((t) => t.block < ends);
  for (const trial of needed) {
    const entry = entries.find((e) => e.key === trial.entry_key);
    const rate =
      (o.rates[entry?.label ?? ""] ?? 1000) * (1 + ((trial.block * 7 + trial.position * 3) % 5) / 100);
    phase("warm-up", "begin", trial.entry_key, trial.trial_id);
    phase("measure", "begin", trial.entry_key, trial.trial_id);
    const begin = t_us;
    const n = o.samples ?? 4;
    const stepUs = Math.round((trial.duration_s * 1e6) / n);
    for (let i = 0; i <= n; i += 1) {
      const s = (i * stepUs) / 1e6;
      const counters = { rss_bytes: 4_194_304, processes: 1, threads: 3, context_switches: i * 10 };
      add(
        "sample",
        {
          trial_id: trial.trial_id,
          window: "measure",
          requests: Math.round(rate * s),
          requests_t_us: t_us + (i === 0 ? 0 : stepUs),
          loopback_bytes: Math.round(rate * s * 1200),
          server: { cpu_us: Math.round(s * 900_000), ...counters },
          tool: { cpu_us: Math.round(s * 700_000), ...counters },
          host: {
            cpu_busy_us: Math.round(s * 1.8e6),
            cpu_total_us: Math.round(s * 2e6),
            cpu_steal_us: 0,
            load1: 1,
            memory_available_bytes: 1e9,
            temperature_millic: null,
            frequency_khz: null,
          },
        },
        i === 0 ? 0 : stepUs,
      );
    }
    phase("measure", "end", trial.entry_key, trial.trial_id);
    if (o.histogram) {
      add("histogram", {
        trial_id: trial.trial_id,
        encoding: "hdr-v2-deflate-base64",
        unit: "ns",
        digits: 3,
        resolution_us: 1,
        corrected: false,
        count: 1000,
        blob: o.histogram,
        over_time:
          o.over_time?.map((column, second) => ({
            ...{ from_us: t_us + second * 1e6, to_us: t_us + (second + 1) * 1e6, first: column.first },
            counts: [...column.counts],
          })) ?? null,
      });
    }
    const duration_us = Math.round(trial.duration_s * 1e6);
    const requests = Math.round(rate * trial.duration_s);
    add("trial", {
      trial_id: trial.trial_id,
      entry_key: trial.entry_key,
      scenario: trial.scenario,
      block: trial.block,
      position: trial.position,
      status: "valid",
      reasons: [],
      labels: [],
      slices: [{ index: 0, begin_us: begin, end_us: t_us, left_out: false, counters: null }],
      result: {
        tool: "ab",
        tool_version: "2.3",
        duration_us,
        requests,
        failures: {
          connect: 0,
          read: 0,
          write: null,
          timeout: null,
          status: 0,
          length: 0,
          content: null,
          other: 0,
          total: 0,
        },
        bytes_received: requests * 1200,
        bytes_scope: "total",
        requests_per_s: rate,
        latency: {
          mean_us: 3e7 / rate,
          min_us: 100,
          max_us: 45_000,
          stdev_us: null,
          percentiles: [
            { p: 50, us: 2e7 / rate },
            { p: 99, us: 8e7 / rate },
          ],
          resolution_us: 1,
          corrected: false,
          mean_ci95_us: null,
          outliers: null,
          source: "ab -e",
        },
        offered: null,
        statuses: null,
        thresholds_crossed: [],
        connections: null,
      },
      resources: {
        window_us: duration_us,
        server_cpu_us: Math.round(duration_us * 0.9),
        tool_cpu_us: Math.round(duration_us * 0.7),
        server_rss_peak_bytes: 4_194_304,
        server_threads_max: 3,
        server_context_switches: 40,
        loopback_bytes: requests * 1200,
        host_steal_ratio: 0,
        host_taken_ratio: null,
        temperature_max_millic: null,
        server_cpus: 1,
        tool_cpus: 1,
        energy_uj: null,
      },
      limit: o.toolBound?.includes(entry?.label ?? "") ? "generator-bound" : "server-bound",
      single_shot: null,
      warmup_us: null,
      warmup_steady: null,
      rounds: null,
    });
  }
  if (ends < most) {
    const message = `Ended after ${ends} of at most ${most} blocks: every verdict is settled.`;
    add("label", { code: "ended-early", message, entry_key: null });
  }
  add("result", {
    status: "succeeded",
    error: null,
    trials_valid: needed.length,
    trials_invalid: 0,
    time: null,
  });
  return records;
}
