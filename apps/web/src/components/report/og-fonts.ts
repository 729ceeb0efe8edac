import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

type Font = { name: string; data: Buffer; weight: 400 | 600; style: "normal" };
let fonts: Promise<Font[]> | undefined;

/** Read from the build, never fetched. */
export function ogFonts(): Promise<Font[]> {
  fonts ??= Promise.all([
    load(new URL("../../../fonts/IBMPlexSans-Regular.woff", import.meta.url), 400),
    load(new URL("../../../fonts/IBMPlexSans-SemiBold.woff", import.meta.url), 600),
  ]);
  return fonts;
}

const load = async (url: URL, weight: 400 | 600): Promise<Font> => ({
  name: "Plex",
  data: await readFile(fileURLToPath(url)),
  weight,
  style: "normal",
});
