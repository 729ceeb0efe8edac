// Starts the production build: what is kept of public reports (src/server/frozen) is answered before Next is asked.
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import next from "next";

const { values } = parseArgs({
  options: {
    port: { type: "string", short: "p", default: "3000" },
    hostname: { type: "string", short: "H", default: "127.0.0.1" },
  },
});
const port = Number(values.port);
const { hostname } = values;
/** Live pages hold their connections; they connect again by themselves. */
const LEAVE_WITHIN_MS = 3000;

const server = createServer();
// Longer than proxies keep an idle connection: they would send a request on one that is just being closed.
server.keepAliveTimeout = 125_000;
const app = next({ dev: false, dir: import.meta.dirname, hostname, port, httpServer: server });
await app.prepare();
const handle = app.getRequestHandler();
let frozen;

server.on("request", async (request, response) => {
  try {
    // src/instrumentation.ts leaves it here: this file is not part of the build. Next runs that at its first request.
    frozen ??= globalThis.__rigmarkFrozen?.(handle);
    if (/^\/(r\/|embed\/r\/|oembed\?)/.test(request.url ?? "") && (await frozen?.(request, response))) return;
    await handle(request, response);
  } catch (error) {
    process.stderr.write(`${request.method} ${request.url} broke: ${error.stack}\n`);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end("Something broke on the server; its log says what.\n");
  }
});
server.on("error", (error) => {
  process.stderr.write(`The app cannot listen at ${hostname}:${port}: ${error.message}\n`);
  process.exit(1);
});
server.listen(port, hostname, () => process.stdout.write(`Listening at ${hostname}:${port}.\n`));

for (const [signal, status] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
])
  process.once(signal, () => {
    server.close(async () => {
      await app.close().catch(() => undefined);
      process.exit(status);
    });
    setTimeout(() => server.closeAllConnections(), LEAVE_WITHIN_MS).unref();
  });
