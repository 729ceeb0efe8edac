import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Reading the whole domain anew for each file takes longer than its tests; what they keep is in databases of their own.
    isolate: false,
    globalSetup: "test/cluster.ts",
    setupFiles: ["test/seed.ts"],
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
});
