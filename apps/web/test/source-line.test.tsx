import { Source } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { SourceLine } from "@/components/run/source-line";
import { render } from "./words";

const COMMIT = "8f0e6d2b4a1c3957be60d1f2a4c8e9b7d5f31a02";
const AT = "https://github.com/ada/server";
const source = (repository: string) =>
  Source.parse({ repository, commit: COMMIT, branch: "faster", pull_request: 12 });

/** Text and target of each link. */
const links = (html: string): string[][] =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, href = "", text = ""]) => [
    text,
    href.replaceAll("&amp;", "&"),
  ]);

describe("the line of a run's source", () => {
  it("leads to commit and pull request at the forge", () => {
    const html = render(<SourceLine source={source(AT)} />);
    expect(links(html)).toEqual([
      ["ada/server@8f0e6d2", `${AT}/commit/${COMMIT}`],
      ["PR #12", `${AT}/pull/12`],
    ]);
    expect(html.match(/rel="noreferrer nofollow"/g)).toHaveLength(2);
  });

  it("leads in a workspace to the other runs, too", () => {
    const runs = "/w/home/runs?";
    const repository = `repository=${encodeURIComponent(AT)}`;
    const html = render(<SourceLine source={source(AT)} workspace="home" />);
    expect(links(html)).toEqual([
      ["ada/server@8f0e6d2", `${AT}/commit/${COMMIT}`],
      ["faster", `${runs}branch=faster&${repository}`],
      ["PR #12", `${runs}${repository}&pull_request=12`],
      ["github.com", `${AT}/pull/12`],
    ]);
    expect(html).toContain('aria-label="PR #12 on github.com"');
    expect(render(<SourceLine source={source(AT)} workspace="home" />, "zh")).toContain(
      'aria-label="github.com 上的 PR #12"',
    );
  });

  it("leads to the repository where the forge is not known, and nowhere without an address", () => {
    const own = "https://forge.example/ada/server";
    expect(links(render(<SourceLine source={source(own)} />))).toEqual([["ada/server@8f0e6d2", own]]);
    expect(links(render(<SourceLine source={source("ada/server")} />))).toEqual([]);
  });

  it("has no link where the line itself is one", () => {
    expect(links(render(<SourceLine source={source(AT)} linked={false} />))).toEqual([]);
  });
});
