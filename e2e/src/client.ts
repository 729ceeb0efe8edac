import type { AppRouter } from "@rigmark/api";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import superjson from "superjson";
import { type Person, somebody } from "./people";

export interface Member {
  person: Person;
  workspace: string;
  /** As a header; `cookiesOf` has it for a browser. */
  cookie: string;
  trpc: ReturnType<typeof createTRPCClient<AppRouter>>;
}

/** What `context.addCookies` takes. */
export const cookiesOf = ({ cookie }: Member, url: string) =>
  cookie.split("; ").map((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    return { name, value, url };
  });

/** Signs up through the same routes as the pages, for journeys that are about something else. */
export async function member(url: string, person: Person = somebody()): Promise<Member> {
  const response = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(person),
  });
  if (!response.ok) throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((c) => c.split(";")[0] ?? "")
    .join("; ");
  const trpc = createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({ url: `${url}/api/trpc`, transformer: superjson, headers: { cookie, origin: url } }),
    ],
  });
  const [first] = await trpc.workspace.list.query();
  if (!first) throw new Error("a new member has no workspace");
  return { person, workspace: first.slug, cookie, trpc };
}
