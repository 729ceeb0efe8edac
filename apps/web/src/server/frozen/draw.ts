import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { duplexPair } from "node:stream";

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Drawn {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const PATIENCE_MS = 30_000;

/** Asks the app for a path as a stranger would, within this process: there is no port and no socket. */
export function makeDraw(handler: Handler, host: string): (path: string) => Promise<Drawn> {
  const inside = createServer((incoming, outgoing) => void handler(incoming, outgoing));
  return (path) =>
    new Promise((resolve, reject) => {
      const asking = request({
        path,
        headers: { host, connection: "close" },
        createConnection: () => {
          const [ours, theirs] = duplexPair();
          theirs.once("close", () => {
            if (!theirs.writableFinished) ours.destroy(new Error("The app closed the connection."));
          });
          inside.emit("connection", theirs);
          return ours;
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      asking.once("error", reject);
      asking.once("response", (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.once("error", reject);
        response.once("end", () =>
          resolve({
            status: response.statusCode ?? 500,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
            ),
            body: Buffer.concat(parts),
          }),
        );
      });
      asking.end();
    });
}
