import type { Language } from "./language";

/** In pixels. It shrinks with the page around it. */
export const FRAME_WIDTH = 600;
/** More entries are not shown in a frame: the report has them. */
export const MOST_FRAMED = 8;
const [AROUND, ROW] = [190, 40];

const escapeHtml = (text: string): string =>
  text.replace(/\p{Cc}/gu, " ").replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

interface Framed {
  /** Of the report, such as `https://rigmark.example/r/SLUG`. */
  url: string;
  title: string;
  /** Of its first run: how high the frame is. */
  entries: number;
  language: Language;
}

export const frameHeight = (entries: number): number =>
  AROUND + ROW * Math.min(Math.max(entries, 1), MOST_FRAMED);

/** HTML that shows a report inside another page. What is in the frame needs no script, so none may run there. */
export function frameOf({ url, title, entries, language }: Framed): string {
  const source = `${url.replace(/\/r\/(?=[^/]*$)/, "/embed/r/")}${language === "zh" ? "?lang=zh" : ""}`;
  const size = `width="${FRAME_WIDTH}" height="${frameHeight(entries)}"`;
  const rights = 'sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy"';
  return `<iframe src="${escapeHtml(source)}" ${size} title="${escapeHtml(title)}" style="border:0;max-width:100%" ${rights}></iframe>`;
}

/** In pixels, how large the page around it lets a frame be. */
export interface FrameLimits {
  width?: number | undefined;
  height?: number | undefined;
}

interface Sizes {
  html: string;
  width: number;
  height: number;
  thumbnail_width: number;
  thumbnail_height: number;
}

/** A report's oEmbed, no larger than was asked for. There is one size of its thumbnail: where that does not fit, there is none. */
export function fitOembed(oembed: string, limits: FrameLimits): string {
  const told = JSON.parse(oembed) as Sizes;
  const { width: wide = Number.POSITIVE_INFINITY, height: high = Number.POSITIVE_INFINITY } = limits;
  const [width, height] = [Math.min(told.width, wide), Math.min(told.height, high)];
  const html = told.html.replace(/ width="\d+" height="\d+"/, ` width="${width}" height="${height}"`);
  const fits = told.thumbnail_width <= wide && told.thumbnail_height <= high;
  const none = { thumbnail_url: undefined, thumbnail_width: undefined, thumbnail_height: undefined };
  return JSON.stringify({ ...told, html, width, height, ...(fits ? {} : none) });
}
