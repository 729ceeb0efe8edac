import { createServer } from "node:net";
import { freePort } from "@rigmark/db/embedded";
import { expect, test } from "vitest";
import { CommandError } from "../src/say";
import { parseUp } from "../src/up/arguments";
import { choosePort } from "../src/up/port";

test("flags are read, and what is wrong ends with 2", () => {
  expect(parseUp([])).toEqual({
    detach: false,
    json: false,
    demo: true,
    port: null,
    listen: null,
    network: null,
  });
  expect(parseUp(["--detach", "--json", "--port=80", "--listen", "::", "--no-demo"])).toEqual({
    detach: true,
    json: true,
    demo: false,
    port: 80,
    listen: "::",
    network: null,
  });
  expect(parseUp(["--network"]).network).toBe(true);
  expect(parseUp(["--network=192.168.1.10", "--detach"])).toMatchObject({
    network: "192.168.1.10",
    detach: true,
  });
  expect(parseUp(["--no-network"]).network).toBe(false);
  for (const wrong of [
    ["--prot", "1"],
    ["--port", "x"],
    ["--port", "0"],
    ["--port"],
    ["extra"],
    ["--network", "--listen=::"],
    ["--network", "--no-network"],
  ]) {
    expect(() => parseUp(wrong)).toThrow(CommandError);
    try {
      parseUp(wrong);
    } catch (error) {
      expect((error as CommandError).exit).toBe(2);
    }
  }
});

test("a port that was asked for is never replaced, and the sentence names the flag", async () => {
  const port = await freePort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
  await expect(choosePort(port, null, "127.0.0.1")).rejects.toThrow(
    `port ${port} is taken by another program: choose another one with --port N`,
  );
  await expect(choosePort(null, port, "127.0.0.1")).rejects.toThrow(/--port N/);
  expect(await choosePort(port, null, "127.0.0.1", { ours: port })).toBe(port);
  other.close();
});

test("a first start takes the usual port or the next that is free", async () => {
  const chosen = await choosePort(null, null, "127.0.0.1");
  expect(chosen).toBeGreaterThanOrEqual(4270);
  expect(chosen).toBeLessThan(4320);
  await expect(choosePort(null, null, "203.0.113.1")).rejects.toThrow(/--listen ADDRESS/);
});
