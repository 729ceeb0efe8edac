import type { RunFilterValues, RunListFilter } from "@rigmark/results";
import { MOST_VALUES } from "@rigmark/results/run-list";
import { describe, expect, it } from "vitest";
import { NoMatch } from "@/components/run/no-match";
import { RunFilters } from "@/components/run/run-filters";
import { runFilter, runsPath, toggled, without } from "@/lib/run-filter";
import { tagsFrom, tagsProblem } from "@/lib/tags";
import { render } from "./words";

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** As Next hands an address to a page. */
function asked(path: string): Record<string, string | string[]> {
  const { searchParams } = new URL(path, "http://x");
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const all = searchParams.getAll(name);
      return [name, all.length > 1 ? all : (all[0] ?? "")];
    }),
  );
}

const ALL: RunListFilter = {
  q: "1 KB & more, 100 %",
  host: [id(1), id(2)],
  status: ["failed", "timed_out"],
  verdict: ["no-difference"],
  branch: ["feature/ä,b"],
  person: ["Qm3x-1"],
  tag: ["nightly build", "ärm"],
  scenario: ["files-1k-ab:connections=200,duration=5s"],
  server: ["io-uring"],
  repository: "https://forge.example/ada/server",
  commit: "abcdef0",
  pullRequest: 12,
};

describe("the address of a list of runs", () => {
  it("holds the whole state of the page", () => {
    expect(runFilter(asked(runsPath("home", ALL)))).toEqual(ALL);
    expect(runFilter(asked(runsPath("home", ALL, "next")))).toEqual(ALL);
    expect(runsPath("home", {})).toBe("/w/home/runs");
    const some = { tag: ["b", "a"], pullRequest: 3 };
    expect(runsPath("home", some)).toBe("/w/home/runs?tag=b&tag=a&pull_request=3");
  });

  it("leaves out what no link of ours has", () => {
    const odd = {
      ...{ q: "  ", host: "not-an-id", status: ["done", "constructor"], verdict: "better", branch: "a b" },
      ...{ person: "../x", tag: ["", "x".repeat(41)], scenario: "a b", server: "Nginx", commit: "xyz" },
      ...{ pull_request: "0", unknown: "1" },
    };
    expect(runFilter(odd)).toEqual({});
    const half = { tag: ["a", "a"], status: ["failed", "done"] };
    expect(runFilter(half)).toEqual({ tag: ["a"], status: ["failed"] });
  });

  it("takes so many values and so long a search, and no more", () => {
    const hosts = Array.from({ length: MOST_VALUES + 5 }, (_, n) => id(n));
    const filter = runFilter({ host: hosts, q: "x".repeat(300) });
    expect(filter.host).toHaveLength(MOST_VALUES);
    expect(filter.q).toHaveLength(200);
    expect(toggled(filter, "host", id(99))).toBeNull();
    expect(toggled(filter, "host", id(0))?.host).toHaveLength(MOST_VALUES - 1);
  });

  it("changes by one value, or by one filter", () => {
    expect(toggled({ tag: ["a"] }, "tag", "b")).toEqual({ tag: ["a", "b"] });
    expect(toggled({ tag: ["a"], q: "x" }, "tag", "a")).toEqual({ q: "x" });
    expect(without({ tag: ["a", "b"], q: "x" }, "tag")).toEqual({ q: "x" });
    expect(without({ tag: ["a"], q: "x" }, "q", "x")).toEqual({ tag: ["a"] });
  });
});

const OFFERED: RunFilterValues["filters"] = [
  { name: "host", values: [{ value: id(1), label: "pi" }] },
  { name: "tag", values: [{ value: "weekly", label: "weekly" }] },
];
const links = (html: string): string[] =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => (href ?? "").replaceAll("&amp;", "&"));

describe("the filters of a list", () => {
  const html = render(<RunFilters workspace="home" filter={{ host: [id(1)], q: "x" }} offered={OFFERED} />);

  it("are links that add or remove one value and keep the others", () => {
    expect(links(html)).toContain(`/w/home/runs?q=x&host=${id(1)}&tag=weekly`);
    expect(links(html)).toContain("/w/home/runs?q=x");
    expect(links(html)).toContain(`/w/home/runs?host=${id(1)}`);
    expect(links(html)).toContain("/w/home/runs");
  });

  it("are kept by the search, which is a plain form", () => {
    expect(html).toMatch(/<form [^>]*action="\/w\/home\/runs"/);
    expect(html).toContain(`<input type="hidden" name="host" value="${id(1)}"/>`);
  });

  it("are those that the runs have or that are chosen, by the names of hosts", () => {
    const titles = [...html.matchAll(/<summary[^>]*>([^<]+)/g)].map(([, title]) => title);
    expect(titles).toEqual(["Host", "Tag"]);
    expect(html).toContain(">pi<");
    const chosen = render(<RunFilters workspace="home" filter={{ server: ["epoll"] }} offered={[]} />);
    expect(chosen.match(/<summary/g)).toHaveLength(1);
  });
});

it("a list without a match names the filters to drop, with links", () => {
  const filter: RunListFilter = { host: [id(1)], tag: ["weekly"], q: "x" };
  const html = render(<NoMatch workspace="home" filter={filter} offered={OFFERED} drop={["host", "tag"]} />);
  const others = ["/w/home/runs?q=x&tag=weekly", `/w/home/runs?q=x&host=${id(1)}`];
  expect(links(html)).toEqual([...others, "/w/home/runs"]);
  expect(html).toContain("Remove Host <bdi>pi</bdi>");
});

it("tags are written with commas between them", () => {
  expect(tagsFrom(" release, arm 64,,\nweekly ")).toEqual(["release", "arm 64", "weekly"]);
  expect(tagsProblem(["a"])).toBeNull();
  expect(tagsProblem(Array.from({ length: 11 }, String))).toContain("at most 10 tags");
  expect(tagsProblem(["x".repeat(41)])).toContain("at most 40 characters");
});
