import { defineConfig } from "vitest/config";

/** One stack, one agent, one measurement at a time on this host: the files run one after the other. */
export default defineConfig({
  test: {
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    globalSetup: ["src/global-setup.ts"],
    bail: 0,
  },
});
