import type { Action, ScheduleView } from "@rigmark/results";
import { expect, it, vi } from "vitest";
import { ScheduleList } from "@/components/schedule/schedule-list";
import { MayProvider } from "@/components/shell/may";
import { ApiProvider } from "@/trpc/client";
import { render } from "./words";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }) }));

const SCHEDULE: ScheduleView = {
  schedule_id: "00000000-0000-4000-8000-000000000001",
  name: "nightly",
  host: { host_id: "00000000-0000-4000-8000-000000000002", name: "attic" },
  ...{ minute: 120, days: [1, 2, 3, 4, 5, 6, 7], wait_h: 12 },
  ...{ entries: ["nginx", "epoll"], scenarios: ["plaintext-ab"], created_by: "Ada" },
  // A paused one can be queued, too.
  ...{ next_due_at: null, last_due_at: null, last_run: null, last_skip: null },
};

const buttonsFor = (may: Action[]): string[] => {
  const html = render(
    <ApiProvider>
      <MayProvider may={may}>
        <ScheduleList workspace="home" initial={{ schedules: [SCHEDULE] }} />
      </MayProvider>
    </ApiProvider>,
  );
  return [...html.matchAll(/<button.*?<\/button>/g)].map(([button]) => button.replace(/<[^>]+>/g, ""));
};

it("a schedule is queued, changed, resumed and deleted by those who may queue runs", () => {
  expect(buttonsFor(["queue"])).toEqual([
    "Run now nightly",
    "Change nightly",
    "Resume nightly",
    "Delete nightly",
  ]);
  expect(buttonsFor([])).toEqual([]);
});
