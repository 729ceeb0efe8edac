import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** As the build does (next.config.ts). */
const markdown = {
  name: "markdown",
  transform: (text: string, id: string) =>
    id.endsWith(".md") ? `export default ${JSON.stringify(text)}` : undefined,
};

export default defineConfig({
  plugins: [markdown],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  test: { include: ["test/**/*.test.{ts,tsx}"], testTimeout: 180_000, hookTimeout: 240_000 },
});
