import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "test/cluster.ts",
    setupFiles: ["test/seed.ts"],
    testTimeout: 60_000,
    hookTimeout: 90_000,
  },
});
