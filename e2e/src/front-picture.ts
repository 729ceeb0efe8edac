import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, stranger } from "./browser";
import { root } from "./env";

/**
 * The picture on the front page: the top of a real report, once a theme. It is named on the command line, since only a
 * person can say which report shows best what Rigmark is: `pnpm --filter @rigmark/e2e front-picture URL`.
 */
/** As in apps/web/src/components/shell/front-page.tsx: up to the end of the table of three entries. */
const SIZE = { width: 840, height: 648 };
const folder = join(root, "apps/web/public/pictures");

const url = process.argv[2];
if (!url) throw new Error("which report? pnpm --filter @rigmark/e2e front-picture URL");
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const theme of ["light", "dark"] as const) {
  const { context, page } = await stranger(browser, {
    theme,
    viewport: { width: SIZE.width, height: 1400 },
    scale: 2,
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const top = await page.locator("[data-verdict]").first().boundingBox();
  if (!top) throw new Error(`${url} shows no verdict`);
  await page.screenshot({
    path: join(folder, `report-${theme}.png`),
    clip: { x: 0, y: top.y - 16, ...SIZE },
  });
  await context.close();
}
await browser.close();
