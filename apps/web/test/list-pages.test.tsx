import { expect, it } from "vitest";
import { HistorySearch, NoHistoryHere } from "@/components/history/history-search";
import { ReportList } from "@/components/report/report-list";
import { PageLinks } from "@/components/ui/page-links";
import { historiesPath, historyState } from "@/lib/history-path";
import { cursorIn, searchIn } from "@/lib/list-address";
import { ApiProvider } from "@/trpc/client";
import { render } from "./words";

const links = (html: string) =>
  [...html.matchAll(/<a[^>]* href="([^"]*)"[^>]*>([^<]*)/g)].map(([, href, text]) => [
    href?.replaceAll("&amp;", "&"),
    text,
  ]);
const of = { label: "Pages of histories", what: "histories" };
const path = (cursor?: string) => historiesPath("home", { q: "1 KB & more", cursor });

it("a page of a list leads to the first and the next one, and keeps what is searched for", () => {
  expect(links(render(<PageLinks {...of} cursor="a" next="b" path={path} />))).toEqual([
    ["/w/home/history?q=1+KB+%26+more", "Newest histories"],
    ["/w/home/history?q=1+KB+%26+more&cursor=b", "Older histories"],
  ]);
  expect(links(render(<PageLinks {...of} cursor={null} next="b" path={path} />))).toHaveLength(1);
  expect(render(<PageLinks {...of} cursor={null} next={null} path={path} />)).toBe("");
});

it("the address of a list is read as it is written, and names no series", () => {
  const asked = Object.fromEntries(new URL(path("b"), "http://x").searchParams);
  expect([searchIn(asked.q), cursorIn(asked.cursor)]).toEqual(["1 KB & more", "b"]);
  expect(historyState(asked)).toBeNull();
  expect([searchIn(undefined), cursorIn(undefined), cursorIn("")]).toEqual(["", null, null]);
  expect(searchIn(["a", "b"])).toBe("a b");
  expect(searchIn("x".repeat(300))).toHaveLength(200);
  expect(historiesPath("home")).toBe("/w/home/history");
});

it("histories are searched by a plain form, and a search without a match leads back", () => {
  const html = render(<HistorySearch workspace="home" q="epoll" />);
  expect(html).toMatch(/<form [^>]*action="\/w\/home\/history"/);
  expect(html).toMatch(/<input [^>]*name="q"[^>]*value="epoll"/);
  const none = render(<NoHistoryHere workspace="home" q="epoll" />);
  expect(none).toContain("No history matches");
  expect(links(none)).toEqual([["/w/home/history", "Show all histories"]]);
});

it("the list of reports leads to the older ones that it has no room for", () => {
  const reportsOf = (cursor: string | null, next_cursor: string | null) =>
    render(
      <ApiProvider>
        <ReportList
          workspace="home"
          cursor={cursor}
          initial={{ reports: [], next_cursor, public_url_is_private: false }}
        />
      </ApiProvider>,
    );
  expect(links(reportsOf(null, "b"))).toEqual([["/w/home/reports?cursor=b", "Older reports"]]);
  expect(links(reportsOf("b", null))).toEqual([["/w/home/reports", "Newest reports"]]);
});
