import type { ExploreItem, LeaderboardMatrix as Matrix } from "@rigmark/results";
import { describe, expect, it, vi } from "vitest";
import { CsvLink } from "@/components/explore/csv-link";
import { ExploreFilters } from "@/components/explore/explore-filters";
import { ExploreList } from "@/components/explore/explore-list";
import { LeaderboardFilters } from "@/components/explore/leaderboard-filters";
import { LeaderboardGuide } from "@/components/explore/leaderboard-guide";
import { LeaderboardLoad } from "@/components/explore/leaderboard-load";
import { LeaderboardMatrix } from "@/components/explore/leaderboard-matrix";
import { LeaderboardTable } from "@/components/explore/leaderboard-table";
import { MatrixSearch } from "@/components/explore/matrix-search";
import { MatrixShown } from "@/components/explore/matrix-shown";
import { docOf } from "@/docs";
import { askedIn, exploreFilter, explorePath, matrixFilter, matrixPath } from "@/lib/explore-path";
import { render } from "./words";

// There is no router outside of Next; what it is asked for is tried in a browser.
vi.mock("next/navigation", () => ({ useRouter: () => ({ replace: vi.fn() }) }));

const EVIL = '<img src=x onerror="alert(1)">';
const ITEM: ExploreItem = {
  slug: "s".repeat(22),
  title: "Servers of a Pi",
  created_at: "2026-11-26T12:00:00.000Z",
  sentence: "epoll is faster than nginx.",
  language: "en",
  runs: 1,
  machines: ["Raspberry Pi 5, Cortex-A76 × 4, aarch64"],
  scenarios: ["plaintext-ab"],
  servers: ["nginx", "epoll"],
  more: { machines: 0, scenarios: 0, servers: 0 },
};

describe("the list of public reports", () => {
  it("links each report, and says what was found, on what and when", () => {
    const html = render(<ExploreList reports={[ITEM]} />);
    for (const part of [`href="/r/${ITEM.slug}"`, ITEM.sentence, ITEM.machines[0], "26 Nov 2026"])
      expect(html).toContain(part);
    expect(render(<ExploreList reports={[{ ...ITEM, sentence: null }]} />)).toContain("no verdict");
  });

  it("says in a Chinese page which verdict is in English, and of which run it is", () => {
    expect(render(<ExploreList reports={[ITEM]} />, "zh")).toMatch(/lang="en"[^>]*>.*epoll is faster/);
    const chinese = { ...ITEM, sentence: "epoll 更快。", language: "zh" as const, runs: 3 };
    const html = render(<ExploreList reports={[chinese]} />, "zh");
    expect(html).toContain("epoll 更快。");
    expect(html).toMatch(/3/);
    expect(html).not.toContain('<p lang="en"');
  });

  it("says how many names it leaves out", () => {
    const cut = { ...ITEM, more: { ...ITEM.more, servers: 5 } };
    expect(render(<ExploreList reports={[cut]} />)).toContain("nginx, epoll and 5 more");
    expect(render(<ExploreList reports={[cut]} />, "zh")).toContain("nginx、epoll 和 另外 5 个");
    expect(render(<ExploreList reports={[ITEM]} />)).not.toContain("more<");
  });

  it("leads to the report in the language that was chosen", () => {
    expect(render(<ExploreList reports={[ITEM]} />, "zh")).toContain(`href="/r/${ITEM.slug}?lang=zh"`);
  });

  it("draws names as text, whatever they are", () => {
    const evil = {
      ...ITEM,
      title: EVIL,
      sentence: EVIL,
      machines: [EVIL],
      scenarios: [EVIL],
      servers: [EVIL],
    };
    expect(render(<ExploreList reports={[evil]} />)).not.toContain("<img");
    const offered = [{ name: "cpu" as const, values: [EVIL] }];
    expect(render(<ExploreFilters filter={{ q: EVIL }} offered={offered} />)).not.toContain("<img");
  });
});

describe("the table of servers and scenarios", () => {
  const cell = {
    label: "epoll",
    server: "epoll",
    ratio: { estimate: 0.8, low: 0.7, high: 0.9 },
    verdict: "faster" as const,
    machine: "Cortex-A76 × 4",
    slug: ITEM.slug,
    run: 1,
    created_at: ITEM.created_at,
  };
  const scenario = (metric: Matrix["scenarios"][number]["metric"]) => ({
    scenario: metric,
    title: metric,
    tool: "ab" as const,
    metric,
  });
  const row = { label: "epoll", server: "epoll", cpu: "Cortex-A76 × 4", arch: "aarch64", overall: null };
  const matrix: Matrix = {
    scenarios: [scenario("requests_per_s"), scenario("cpu_us_per_request"), scenario("p99_us")],
    rows: [{ ...row, cells: [cell, cell, null] }],
    left_out: 0,
    choices: { entry: [], scenario: [] },
    archs: [],
    cpus: [],
  };
  const board = {
    ...{ ...scenario("requests_per_s"), request: null },
    ...{ rows: [{ ...cell, run: 2 }], left_out: [], archs: [], cpus: [] },
  };

  it("says each verdict in words, not in a color alone", () => {
    const html = render(<LeaderboardMatrix matrix={matrix} filter={{}} by={undefined} />);
    expect(html).toMatch(/data-heat="faster".*>faster<.*data-heat="faster".*>spends less</);
    expect(html).toContain(`href="/r/${ITEM.slug}#scenario-requests_per_s"`);
    expect(render(<LeaderboardMatrix matrix={matrix} filter={{}} by={undefined} />, "zh")).toContain(
      `href="/r/${ITEM.slug}?lang=zh#scenario-requests_per_s"`,
    );
  });

  it("colors a larger difference more strongly, and says so", () => {
    const large = { ...cell, ratio: { estimate: 5, low: 4, high: 6 } };
    const small = { ...cell, ratio: { estimate: 0.98, low: 0.97, high: 0.99 } };
    const graded = { ...matrix, rows: [{ ...row, cells: [large, small, cell] }] };
    const html = render(<LeaderboardMatrix matrix={graded} filter={{}} by={undefined} />);
    expect(html).toMatch(/data-strength="strong">.*5.*data-strength="faint">.*0\.98.*data-heat="faster">/);
    expect(html).toContain("a factor of up to 1.1, up to 1.5, or more.");
    expect(render(<LeaderboardMatrix matrix={graded} filter={{}} by={undefined} />, "zh")).toContain(
      "不超过 1.1 倍、不超过 1.5 倍、更大。",
    );
  });

  it("leads to the run and the scenario that a row is of", () => {
    expect(render(<LeaderboardTable board={board} />)).toContain(
      `href="/r/${ITEM.slug}#run-2-scenario-requests_per_s"`,
    );
  });

  it("leads from a server to that server under every scenario, unless it is the only one chosen", () => {
    const link = '<a class="link" href="/explore/servers?entry=epoll"><bdi>epoll</bdi></a>';
    const shown = (entry: string[]) =>
      render(<LeaderboardMatrix matrix={matrix} filter={{ entry }} by={undefined} />);
    expect(render(<LeaderboardTable board={board} />)).toContain(link);
    expect(shown([])).toContain(link);
    expect(shown(["epoll", "another"])).toContain(link);
    expect(shown(["epoll"])).not.toContain(link);
    expect(shown(["epoll"])).toContain("<bdi>epoll</bdi>");
  });

  it("leads to its rows as CSV, with what was chosen", () => {
    const link = <CsvLink page="/explore/servers" filter={{ entry: ["epoll"] }} by="kb" />;
    expect(render(link)).toContain('href="/explore/servers/csv?entry=epoll&amp;by=kb">Download as CSV<');
    expect(render(link, "zh")).toContain(">下载 CSV<");
  });

  it("says how much is shown, and leads to the scenarios that all rows have", () => {
    const shown = (...cells: Matrix["rows"][number]["cells"][]) => {
      const rows = cells.map((each, place) => ({ ...row, label: `server ${place}`, cells: each }));
      return render(<MatrixShown matrix={{ ...matrix, rows }} filter={{ arch: "aarch64" }} />);
    };
    const some = shown([cell, cell, cell], [cell, cell, null]);
    expect(some).toContain("Shown: 2 servers, 3 scenarios.");
    expect(some).toContain(
      'href="/explore/servers?arch=aarch64&amp;scenario=requests_per_s&amp;scenario=cpu_us_per_request"',
    );
    expect(some).toContain("Only the 2 scenarios that all of these have");
    const all = shown([cell, cell, cell]);
    expect(all).toContain("Shown: 1 server, 3 scenarios.");
    expect(all).not.toContain("href");
    // A mean of one scenario would be its ratio.
    expect(shown([cell, cell, null], [cell, null, cell])).not.toContain("href");
    expect(shown([cell, null, null], [null, cell, null])).not.toContain("href");
  });
});

describe("the head of a leaderboard", () => {
  it("says what the load was, in the words of reports", () => {
    const request = {
      path: "/1k.bin",
      load: { kind: "closed" as const, connections: 32, keep_alive: true },
    };
    const told = <LeaderboardLoad board={{ tool: "ab", request }} />;
    expect(render(told)).toContain("Load: ab, /1k.bin, closed loop, 32 connections, keep-alive.");
    expect(render(told, "zh")).toContain("负载：ab，/1k.bin，闭环，32 个连接，复用连接。");
    expect(render(<LeaderboardLoad board={{ tool: "ab", request: null }} />)).toBe("");
  });

  it("leads to how ratios are measured, and how to be among them", () => {
    for (const language of ["en", "zh"] as const) {
      const html = render(<LeaderboardGuide />, language);
      expect(html).toContain('href="/docs/method#leaderboards"');
      expect(html).toContain('href="/docs/own-server"');
    }
    expect(docOf("method")?.headings.map(({ id }) => id)).toContain("leaderboards");
    expect(docOf("own-server")).not.toBeNull();
  });

  it("keeps what was chosen though it is not offered any more", () => {
    const filter = { arch: "aarch64", cpu: "Xeon × 8" };
    const offered = { archs: ["x86_64"], cpus: ["Cortex-A76 × 4"] };
    const html = render(<LeaderboardFilters path="/explore/kb" offered={offered} filter={filter} />);
    for (const kept of ["Xeon × 8", "aarch64"])
      expect(html).toContain(`<option value="${kept}" selected="">${kept}</option>`);
    expect(html).toContain('<option value="Cortex-A76 × 4">');
  });
});

describe("the search in the table of all servers", () => {
  it("is in the address, with what was chosen", () => {
    const filter = matrixFilter({ q: " epoll !go ", entry: "epoll", nothing: "x" });
    expect(filter).toEqual({ q: "epoll !go", entry: ["epoll"], scenario: [] });
    const { searchParams } = new URL(matrixPath(filter, "kb"), "http://x");
    expect(matrixFilter(askedIn(searchParams))).toEqual(filter);
    expect(matrixFilter({ q: "x".repeat(5000) }).q).toHaveLength(200);
  });

  it("keeps its words, says what they are of, and can be ended", () => {
    const offered = { archs: [], cpus: [] };
    const shown = (q?: string) => (
      <LeaderboardFilters path="/explore/servers" offered={offered} filter={{ q }} by="kb">
        <MatrixSearch q={q} />
      </LeaderboardFilters>
    );
    const html = render(shown(EVIL));
    expect(html).toMatch(/type="search"[^>]*name="q"[^>]*value="&lt;img/);
    expect(html).toContain("!word");
    expect(html).toContain('href="/explore/servers">Show all<');
    expect(render(shown())).not.toContain("Show all");
    expect(render(shown(), "zh")).toContain("搜索服务器");
  });
});

describe("the address of Explore", () => {
  it("holds search and filters, and leaves out what it does not know", () => {
    const filter = exploreFilter({ q: " pi 5 ", cpu: ["", "Cortex-A76 × 4"], arch: "", nothing: "x" });
    expect(filter).toEqual({ q: "pi 5", cpu: "Cortex-A76 × 4" });
    const path = explorePath(filter, "next");
    expect(exploreFilter(Object.fromEntries(new URL(path, "http://x").searchParams))).toEqual(filter);
    expect(explorePath({})).toBe("/explore");
    expect(exploreFilter({ q: "x".repeat(5000) }).q).toHaveLength(200);
  });

  it("keeps a chosen value that no report has any more", () => {
    const html = render(<ExploreFilters filter={{ suite: "gone" }} offered={[]} />);
    expect(html).toContain('<option value="gone" selected="">gone</option>');
    expect(html).toContain("Show all");
  });
});
