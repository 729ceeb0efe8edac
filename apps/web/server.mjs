// Starts the production build: what is kept of public reports (src/server/frozen) is answered before Next is asked.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
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

// The settings as the build wrote them, as in Next's own standalone server. Reading next.config.ts again would load a compiler,
// which keeps 35 to 45 MB, and an image has neither.
const built = join(import.meta.dirname, ".next", "required-server-files.json");
// biome-ignore lint/style/noProcessEnv: Next reads it; nothing of ours does.
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG ??= JSON.stringify(
  JSON.parse(readFileSync(built, "utf8")).config,
);

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
