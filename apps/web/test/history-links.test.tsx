import { expect, it } from "vitest";
import { HistoryLinks } from "@/components/run/history-links";
import { render } from "./words";

it("leads to the history of each entry under the scenario, by its label", () => {
  const entries = [
    { key: "a", label: "nginx" },
    { key: "b", label: "epoll" },
  ];
  const html = render(
    <HistoryLinks workspace="home" hostId="pi" scenario="plaintext-ab" entries={entries} />,
  );
  for (const { label } of entries)
    expect(html).toContain(`href="/w/home/history?host=pi&amp;scenario=plaintext-ab&amp;entry=${label}"`);
  expect(html.replace(/<[^>]+>/g, "")).toBe("History: nginx · epoll");
});
