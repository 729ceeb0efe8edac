import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { useInstallation } from "../src/paths";
import { demo } from "../src/up/demo";
import * as app from "../src/up/home";

vi.mock("../src/up/home", () => ({ publishRun: vi.fn(), queueHomeRun: vi.fn(), readRun: vi.fn() }));
const dir = mkdtempSync(join(tmpdir(), "rigmark-demo-"));
useInstallation(dir);
afterAll(() => rmSync(dir, { recursive: true }));

test("a first run that fails is said, and is no reason to end what runs", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const host = {
    host_id: "h",
    catalogue: {
      servers: [{ name: "nginx", supported: true }],
      scenarios: [{ scenario: { id: "files-1k-cpu" }, supported: true }],
    },
  } as unknown as app.HostView;
  vi.mocked(app.queueHomeRun).mockResolvedValue("r");
  const run = { run_id: "r", state: "failed", final: true, error: { message: "No." }, reports: [] };
  vi.mocked(app.readRun).mockResolvedValue(run as unknown as app.RunView);
  expect(await demo({} as app.Home, host)).toBeNull();
  expect(said.mock.calls.join("")).toContain(
    "rig: the first run failed: No. Everything is running; the next ./rig up tries again.\n",
  );
  expect(app.publishRun).not.toHaveBeenCalled();
  // Somebody deleted the run.
  vi.mocked(app.readRun).mockResolvedValue(null);
  expect(await demo({} as app.Home, host)).toBeNull();
  said.mockRestore();
});
