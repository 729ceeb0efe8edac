import { readBody } from "@rigmark/api/body";

/** The same request, with its body here and not larger than that. */
export async function limited(request: Request, bytes: number, headers = request.headers): Promise<Request> {
  const { method, signal } = request;
  const body = method === "GET" || method === "HEAD" ? null : Buffer.from(await readBody(request, bytes));
  return new Request(request.url, { method, headers, signal, body });
}
