import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { globalSetup: "test/cluster.ts", testTimeout: 180_000, hookTimeout: 240_000 },
});
