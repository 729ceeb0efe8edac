import pg from "pg";

const RETRY_MS = 1000;

export interface Listener {
  close(): Promise<void>;
}

/**
 * Hands over each NOTIFY on `channel`. A lost connection is made again; `onPayload(null)` then says that hints may
 * have been missed. Rows are the truth, so nothing else is lost.
 */
export function listen(url: string, channel: string, onPayload: (payload: string | null) => void): Listener {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<void> => {
    const mine = new pg.Client({
      connectionString: url,
      application_name: "rigmark listen",
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client = mine;
    const again = () => {
      if (closed || client !== mine) return;
      client = undefined;
      mine.end().catch(() => undefined);
      retry = setTimeout(() => void connect(), RETRY_MS);
      retry.unref();
    };
    mine.on("error", again);
    mine.on("end", again);
    mine.on("notification", (message) => onPayload(message.payload ?? ""));
    try {
      await mine.connect();
      await mine.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      onPayload(null);
    } catch {
      again();
    }
  };
  void connect();
  return {
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
