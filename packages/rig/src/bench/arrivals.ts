import { z } from "zod";
import { readAnchor } from "./anchor";
import { ended } from "./runs";
import type { Stack } from "./stack";

const Message = z.object({ json: z.array(z.unknown()) });
const Points = z.object({
  kind: z.literal("points"),
  trial_id: z.string(),
  points: z.array(z.object({ t_s: z.number() })),
});

interface Arrival {
  trial_id: string;
  t_s: number;
  at_ms: number;
}

/** The first time that each point came over one stream. */
export interface Arrivals {
  list: Arrival[];
  /** The data of one message, as it came. */
  take(data: string): void;
}

export function collectArrivals(): Arrivals {
  const seen = new Set<string>();
  const list: Arrival[] = [];
  return {
    list,
    take: (data) => {
      const at_ms = Date.now();
      for (const { trial_id, t_s } of pointsIn(data)) {
        const key = `${trial_id} ${t_s}`;
        if (seen.has(key)) continue;
        seen.add(key);
        list.push({ trial_id, t_s, at_ms });
      }
    },
  };
}

function pointsIn(data: string): { trial_id: string; t_s: number }[] {
  const message = Message.safeParse(parse(data));
  if (!message.success) return [];
  return message.data.json.flatMap((event) => {
    const read = Points.safeParse(event);
    return read.success ? read.data.points.map(({ t_s }) => ({ trial_id: read.data.trial_id, t_s })) : [];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Seconds from the moment that the agent took a sample to its arrival, on one machine's clock, of those samples that were
 * taken after `from_ms`. What was there before waited for the viewer, not for us.
 */
export async function delaysOf(
  stack: Stack,
  runId: string,
  arrivals: readonly Arrival[],
  from_ms: number,
): Promise<number[]> {
  const run = await ended(stack.home, runId);
  const anchor = await readAnchor(stack.databaseUrl, runId);
  return arrivals.flatMap(({ trial_id, t_s, at_ms }) => {
    const from = run.trials.find((t) => t.trial_id === trial_id)?.measured_from_s;
    if (from === null || from === undefined) return [];
    const taken_ms = anchor.wall_ms + (from + t_s) * 1000;
    return taken_ms < from_ms ? [] : [(at_ms - taken_ms) / 1000];
  });
}
