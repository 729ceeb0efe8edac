import { answerApi, routesAt } from "../src/v1/index";
import type { Fixture } from "./fixture";

const ORIGIN = "https://rigmark.example";

export interface Sent {
  token?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}
export interface Got {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every route
  body: any;
}

/** Asks the public API as a program would. Each body of a 2xx is held against the schema that documents it. */
export const apiOf =
  (fixture: Fixture) =>
  async (method: string, path: string, { token, body, headers = {} }: Sent = {}): Promise<Got> => {
    const response = await answerApi(
      new Request(`${ORIGIN}${path}`, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
      }),
      {
        domain: fixture.domain,
        address: "192.0.2.1",
        publicUrl: ORIGIN,
        explain: (error) => {
          throw error;
        },
      },
    );
    const text = await response.text();
    const got = { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
    if (response.ok && text) documented(method, path, got);
    return got;
  };

function documented(method: string, path: string, { status, body }: Got): void {
  const match = routesAt(path.split("?")[0] ?? "").find(({ route }) => route.method === method);
  if (!match) return;
  const schema = status === match.route.status ? match.route.response : match.route.also?.[status as 202];
  if (!schema) throw new Error(`${method} ${path} answers ${status} with a body that nothing describes`);
  schema.parse(body);
}
