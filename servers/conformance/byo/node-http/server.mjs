import { createServer } from "node:http";

const [address, port] = process.argv.slice(2);

const server = createServer((req, res) => {
  if (req.url !== "/plaintext") {
    res.writeHead(404);
    res.end();
    return;
  }
  res.writeHead(200, { "Content-Type": "text/plain" });
  res.end("Hello, World!");
});

server.listen(Number(port), address);
