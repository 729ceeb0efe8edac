import { createHash } from "node:crypto";
import { connect } from "node:net";

export interface ProbeResponse {
  status: number;
  /** Head and body, as they traveled. */
  bytes: number;
  /** What the head promised. */
  length: number;
  sha256: string;
}

const PATIENCE_MS = 5000;

/** Asks as wrk does (keep-alive, nothing but Host) and reads exactly one response. */
export function ask(port: number, file: string): Promise<ProbeResponse> {
  return new Promise((resolve, reject) => {
    let head: { status: number; length: number; bytes: number } | null = null;
    let kept = Buffer.alloc(0);
    let body = 0;
    const hash = createHash("sha256");
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`GET /${file} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("no response in time")));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed before the response was whole")));
    socket.on("data", (bytes) => {
      let rest = bytes;
      if (!head) {
        kept = Buffer.concat([kept, bytes]);
        const end = kept.indexOf("\r\n\r\n");
        if (end < 0) return;
        head = parse(kept.subarray(0, end).toString("latin1"), end + 4);
        rest = kept.subarray(end + 4);
      }
      hash.update(rest);
      body += rest.length;
      if (body < head.length) return;
      const { status, length, bytes: headBytes } = head;
      resolve({ status, length, bytes: headBytes + body, sha256: hash.digest("hex") });
      socket.destroy();
    });
  });
}

function parse(text: string, bytes: number): { status: number; length: number; bytes: number } {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  const length = Number(/^content-length: *(\d+)\r?$/im.exec(text)?.[1] ?? Number.NaN);
  return { status, length, bytes };
}
