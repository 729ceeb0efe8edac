import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { orStop, stopAll } from "../src/down";
import { paths, useInstallation } from "../src/paths";
import { isAlive, launch, type Service } from "../src/services/service";
import * as state from "../src/state";

vi.mock("../src/state", { spy: true });
const dir = mkdtempSync(join(tmpdir(), "rigmark-down-"));
useInstallation(dir);
afterAll(() => rmSync(dir, { recursive: true }));
beforeEach(() => rmSync(paths.stateFile, { force: true }));

const part = (name: string): Promise<Service> => launch(name, "sleep", ["60"], { cwd: "/", env: {} });

test("an up that fails stops what it started, and leaves what ran before", async () => {
  const web = await part("web");
  state.remember({ web });
  let agent: Service | undefined;
  const failed = orStop(async () => {
    agent = await part("agent");
    state.remember({ agent });
    throw new Error("the agent does not come online");
  });
  await expect(failed).rejects.toThrow("does not come online");
  expect([isAlive(agent), isAlive(web)]).toEqual([false, true]);
  expect(state.readState()).toEqual({ schema: 1, web });
  // The app was started anew meanwhile: somebody uses it.
  let second: Service | undefined;
  const again = orStop(async () => {
    await stopAll();
    second = await part("web");
    state.remember({ web: second });
    throw new Error("no");
  });
  await expect(again).rejects.toThrow("no");
  expect(isAlive(second)).toBe(true);
  expect(await stopAll()).toEqual(["web app"]);
  expect(isAlive(second)).toBe(false);
});

test("everything is stopped also where the disk is too full to note it", async () => {
  const [web, agent] = [await part("web"), await part("agent")];
  state.remember({ web, agent });
  vi.mocked(state.remember).mockImplementationOnce(() => {
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  expect(await stopAll()).toEqual(["agent", "web app"]);
  expect([isAlive(agent), isAlive(web)]).toEqual([false, false]);
  expect(await stopAll()).toEqual([]);
});
