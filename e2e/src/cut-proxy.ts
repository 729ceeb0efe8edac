import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between a client and the app, and breaks at one moment: when so many bytes went from the client to the app. */
export interface CutProxy {
  url: string;
  /** Bytes from the client so far. */
  passed(): number;
  stop(): Promise<void>;
}

export async function cutProxy(target: string, at: number, atTheMoment: () => void): Promise<CutProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let passed = 0;
  let broken = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
  };
  const server = createServer((client) => {
    const app = connect(Number(port), hostname);
    keep(client);
    keep(app);
    app.on("close", () => client.destroy());
    client.on("close", () => app.destroy());
    app.pipe(client);
    client.on("data", (data) => {
      const left = at - passed;
      passed += data.length;
      if (broken || data.length < left) {
        app.write(data);
        return;
      }
      // What came until then arrives, and nothing after it: also in the middle of a request.
      broken = true;
      app.write(data.subarray(0, Math.max(0, left)), () => {
        for (const socket of sockets) socket.destroy();
        atTheMoment();
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: () => passed,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
