import { type Db, listen, sql } from "@rigmark/db";

const CHANNEL = "rigmark";
/** Hints about one thing are sent at once and then at most this often. */
const DEBOUNCE_MS = 100;

/**
 * Hints that something changed, also to other processes on the same database. Rows are the truth: whoever waits
 * reads them again, and also does so every few seconds without a hint.
 */
export interface Bus {
  /** After commit only. Never fails: a lost hint costs a poll. */
  hint(topic: string): void;
  /** Until a hint about `topic`, or until the time is over. Begin to wait before reading rows. */
  wait(topic: string): Waiter;
  close(): Promise<void>;
}
interface Waiter {
  /** True for a hint, false for the end of the time or of the signal. */
  until(ms: number, signal?: AbortSignal): Promise<boolean>;
  stop(): void;
}

/** Ids may be given in capital letters, which mean the same to the database. */
export const topics = {
  host: (hostId: string) => `host:${hostId.toLowerCase()}`,
  run: (runId: string) => `run:${runId.toLowerCase()}`,
  enrollment: (id: string) => `enrollment:${id.toLowerCase()}`,
  device: (userCode: string) => `device:${userCode}`,
};

export function openBus(db: Db): Bus {
  const waiters = new Map<string, Set<() => void>>();
  const sent = new Map<string, { timer: NodeJS.Timeout; again: boolean }>();
  const wake = (topic: string) => {
    for (const fire of waiters.get(topic) ?? []) fire();
  };
  const listener = listen(db.url, CHANNEL, (payload) => {
    if (payload !== null) return wake(payload);
    for (const topic of waiters.keys()) wake(topic);
  });

  const send = (topic: string) => {
    wake(topic);
    db.query(sql`SELECT pg_notify(${CHANNEL}, ${topic})`).catch(() => undefined);
    const timer = setTimeout(() => {
      const again = sent.get(topic)?.again;
      sent.delete(topic);
      if (again) send(topic);
    }, DEBOUNCE_MS);
    timer.unref();
    sent.set(topic, { timer, again: false });
  };

  return {
    hint: (topic) => {
      const pending = sent.get(topic);
      if (pending) pending.again = true;
      else send(topic);
    },
    wait: (topic) => {
      let hinted = false;
      let resume: (() => void) | undefined;
      const fire = () => {
        hinted = true;
        resume?.();
      };
      const all = waiters.get(topic) ?? new Set();
      waiters.set(topic, all.add(fire));
      return {
        until: (ms, signal) =>
          new Promise((resolve) => {
            const done = () => {
              clearTimeout(timer);
              signal?.removeEventListener("abort", done);
              resume = undefined;
              resolve(hinted);
              hinted = false;
            };
            const timer = setTimeout(done, ms);
            resume = done;
            signal?.addEventListener("abort", done, { once: true });
            if (hinted || signal?.aborted) done();
          }),
        stop: () => {
          all.delete(fire);
          if (all.size === 0 && waiters.get(topic) === all) waiters.delete(topic);
        },
      };
    },
    close: async () => {
      for (const { timer } of sent.values()) clearTimeout(timer);
      sent.clear();
      await listener.close();
    },
  };
}
