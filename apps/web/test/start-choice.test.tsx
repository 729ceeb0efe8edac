import type { RunOptions } from "@rigmark/results";
import { expect, it } from "vitest";
import { StartChoice } from "@/components/run/new-run-start";
import { emptyForm } from "@/lib/new-run";
import { render } from "./words";

const OPTIONS = { suites: [] } as unknown as RunOptions;
const host = { name: "attic" };
const of = { workspace: "home", options: OPTIONS, form: emptyForm(), onChange: () => undefined };

it("a new run can start from a schedule or an earlier run, each by a link", () => {
  const html = render(
    <StartChoice
      {...of}
      schedules={[{ schedule_id: "s1", name: "nightly", minute: 125, days: [1, 5], host }]}
      earlier={[{ run_id: "r1", title: "tuned", created_at: "2026-11-26T12:00:00.000Z", host }]}
    />,
  );
  const links = [...html.matchAll(/<a[^>]* href="([^"]*)"[^>]*>(.*?)<\/a>/g)];
  expect(links.map(([, href, text]) => [href, text?.replace(/<[^>]+>/g, "")])).toEqual([
    ["/w/home/runs/new?schedule=s1", "nightly"],
    ["/w/home/runs/new?from=r1", "tuned"],
  ]);
  expect(html.replace(/<[^>]+>/g, "")).toContain("attic · Monday, Friday at 02:05 UTC");
  expect(html).not.toContain("Nothing yet");
});

it("says so where there is nothing to start from", () => {
  expect(render(<StartChoice {...of} schedules={[]} earlier={[]} />)).toContain("Nothing yet");
});
