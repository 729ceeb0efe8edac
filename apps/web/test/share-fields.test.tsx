import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { ShareCompared } from "@/components/compare/share-compared";
import { NOTHING_CHOSEN, ShareFields, writtenTitle } from "@/components/report/share-fields";
import { render } from "./words";

vi.mock("@/components/report/share-dialog", () => ({
  ShareDialog: ({ children, ...asked }: { children: ReactNode }) => (
    <form data-asked={JSON.stringify(asked)}>{children}</form>
  ),
}));

const fields = (others: number, hardware: string | null = "Pi 5") =>
  render(
    <ShareFields
      value={NOTHING_CHOSEN}
      onChange={() => undefined}
      runTitle={"x".repeat(130)}
      {...{ others, hardware }}
    />,
  );

it("a report has a title to write, and its host is hidden unless somebody shows it", () => {
  const one = fields(0);
  expect(one).toContain(`value="${"x".repeat(120)}"`);
  expect(one).toContain("Show the host&#x27;s name");
  expect(one).toContain("its board or CPU: Pi 5.");
  expect(one).not.toContain("checked");
  expect(fields(0, null)).toContain("its board or CPU: unknown.");
  const several = fields(2);
  expect(several).toContain(`value="${"x".repeat(102)}, and 2 other runs"`);
  expect(several).toContain("their boards or CPUs");
});

it("a title that was only proposed, or is blank, is left to the report", () => {
  expect(writtenTitle(NOTHING_CHOSEN)).toBeUndefined();
  expect(writtenTitle({ ...NOTHING_CHOSEN, title: "  " })).toBeUndefined();
  expect(writtenTitle({ ...NOTHING_CHOSEN, title: " Mine " })).toBe("Mine");
});

it("runs that are compared are shared with the choices that one run has", () => {
  const html = render(
    <ShareCompared
      workspace="home"
      runIds={["a", "b"]}
      first={{ title: "Plaintext", hardware: "Pi 5" }}
      baseline="epoll"
      description="A frozen copy."
    />,
  );
  expect(html).toContain('value="Plaintext, and 1 other run"');
  expect(html).toContain("Show the hosts&#x27; names");
  const asked = JSON.parse(/data-asked="([^"]*)"/.exec(html)?.[1]?.replaceAll("&quot;", '"') ?? "{}");
  expect(asked).toEqual({
    ...{ workspace: "home", runIds: ["a", "b"], baseline: "epoll", showHostName: false },
    ...{ title: "Share these runs", description: "A frozen copy." },
  });
});
