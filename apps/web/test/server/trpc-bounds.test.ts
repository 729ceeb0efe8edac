import { describe, expect, it, vi } from "vitest";

vi.stubEnv("DATABASE_URL", "postgresql://127.0.0.1:1/unused");
vi.stubEnv("AUTH_SECRET", "x".repeat(32));
vi.stubEnv("LOG_LEVEL", "silent");
const { GET, POST } = await import("@/app/api/trpc/[trpc]/route");

const ADDRESS = "http://127.0.0.1:3000/api/trpc/";
const batch = (calls: number, separator = ",") =>
  `${ADDRESS}${Array(calls).fill("no.such").join(separator)}?batch=1&input=%7B%7D`;
const post = (url: string, body: string, headers = {}) =>
  POST(
    new Request(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } }),
  );
const message = async (response: Response) => (await response.json()).error.json.message as string;

describe("a batch of calls", () => {
  it("has at most 20 calls, in the address or in the body, signed in or not", async () => {
    for (const headers of [{}, { cookie: "better-auth.session_token=x" }])
      for (const url of [batch(21), batch(1000), batch(21, "%2C"), batch(21, "%2c")]) {
        const responses = [await GET(new Request(url, { headers })), await post(url, "{}", headers)];
        for (const response of responses) {
          expect([response.status, await message(response)]).toEqual([
            url.length > 8192 ? 414 : 400,
            expect.stringMatching(/at most (20|8192)/),
          ]);
        }
      }
    const taken = await GET(new Request(batch(20)));
    expect(await taken.json()).toHaveLength(20);
  });

  it("has an address and a body with a limit", async () => {
    const url = `${ADDRESS}no.such?input=${"x".repeat(9000)}`;
    expect((await GET(new Request(url))).status).toBe(414);
    const body = JSON.stringify({ json: "x".repeat(129 * 1024) });
    const large = await post(`${ADDRESS}no.such`, body);
    expect([large.status, await message(large)]).toEqual([413, "The body is larger than 128 KiB."]);
    expect((await post(`${ADDRESS}no.such`, "{}")).status).toBe(404);
  });

  it("has at most three comparisons, each of which reads many runs", async () => {
    const asked = (many: number) =>
      ["no.such", ...Array(many).fill("run.compare"), `run${"%2E"}compareCurves`].join(",");
    const response = await GET(new Request(`${ADDRESS}${asked(3)}?batch=1&input=%7B%7D`));
    expect([response.status, await message(response)]).toEqual([400, expect.stringMatching(/at most 3/)]);
    const taken = await GET(new Request(`${ADDRESS}${asked(2)}?batch=1&input=%7B%7D`));
    expect(await taken.json()).toHaveLength(4);
  });

  it("asks for no whole report, which the page gives from its store", async () => {
    for (const path of ["report.bySlug", "no.such,report.bySlug", "report%2EbySlug"]) {
      const response = await GET(new Request(`${ADDRESS}${path}?batch=1&input=%7B%7D`));
      expect([response.status, await message(response)]).toEqual([404, expect.stringContaining("/r/SLUG")]);
    }
  });

  it("cannot be hidden behind an address that is not well written", async () => {
    for (const path of ["%", "%E0%A4%A", "a%zz,b"])
      expect((await GET(new Request(`${ADDRESS}${path}?batch=1`))).status).toBeLessThan(500);
  });
});
