// Makes dist/autocannon.mjs: the driver and its library in one file that plain Node can run.
import { build } from "esbuild";

await build({
  entryPoints: ["tools/autocannon.mjs"],
  outfile: "dist/autocannon.mjs",
  bundle: true,
  platform: "node",
  target: "node18",
  format: "esm",
  minifySyntax: true,
  legalComments: "eof",
  // CommonJS inside an ES module calls `require` for Node's own modules.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
