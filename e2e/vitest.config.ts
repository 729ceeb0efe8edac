import { defineConfig } from "vitest/config";

/** One stack, one agent, one measurement at a time on this host: the files run one after the other. */
export default defineConfig({
  test: {
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ["src/global-setup.ts"],
    bail: 0,
  },
});
