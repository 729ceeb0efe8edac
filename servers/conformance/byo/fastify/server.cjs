const fastify = require("fastify")();

const [host, port] = process.argv.slice(2);

fastify.get("/plaintext", async () => "Hello, World!");

fastify.post("/json-sum", async (request) => `sum = ${request.body.reduce((sum, n) => sum + n, 0)}`);

fastify.listen({ host, port: Number(port) });
