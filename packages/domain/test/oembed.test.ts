import type { ReportSnapshot } from "@rigmark/results";
import { type FrameLimits, fitOembed } from "@rigmark/results/embed";
import { expect, it } from "vitest";
import { renderOembed } from "../src/report/internal/render/oembed";

const snapshot = {
  slug: "abc",
  title: '"><script>alert(1)</script>\u0007 & more',
  runs: [{ entries: [{}, {}, {}] }],
} as unknown as ReportSnapshot;

it("a report as oEmbed is a frame of its own page, in which a title stays text and no script runs", () => {
  const told = JSON.parse(renderOembed(snapshot, "https://rigmark.example/r/abc", "zh"));
  expect(told).toMatchObject({
    version: "1.0",
    type: "rich",
    provider_url: "https://rigmark.example",
    width: 600,
    height: 310,
    thumbnail_url: "https://rigmark.example/r/abc/og.png?lang=zh",
  });
  expect(told.html).toMatch(/^<iframe src="https:\/\/rigmark\.example\/embed\/r\/abc\?lang=zh" width="600" /);
  expect(told.html).not.toContain("<script");
  expect(told.html.match(/"/g)).toHaveLength(14);
  expect(told.html).toMatch(/ sandbox="allow-popups allow-popups-to-escape-sandbox" [^<]*><\/iframe>$/);
  expect(told.title).not.toContain("\u0007");
});

it("a report as oEmbed is no larger than was asked for, and has no thumbnail that is", () => {
  const whole = renderOembed(snapshot, "https://rigmark.example/r/abc");
  const told = (limits: FrameLimits) => JSON.parse(fitOembed(whole, limits));
  expect(told({})).toEqual(JSON.parse(whole));
  const small = told({ width: 400, height: 200 });
  expect(small).toMatchObject({ width: 400, height: 200 });
  expect(small.html).toContain(' width="400" height="200" ');
  expect(small).not.toHaveProperty("thumbnail_url");
  expect(told({ width: 1200 })).toMatchObject({ width: 600, height: 310, thumbnail_width: 1200 });
});
