const FONT_PX = 11;
const CHAR_PX = 6.6;
const PAD_PX = 10;
const HEIGHT = 20;
/** A badge is a line in a README, not a place for a long name. */
const LABEL_CHARS = 40;

export const cut = (text: string): string => {
  const chars = [...text.replace(/[\p{Cc}\p{Cs}]/gu, " ")];
  return chars.length > LABEL_CHARS ? `${chars.slice(0, LABEL_CHARS - 1).join("")}…` : chars.join("");
};
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
/** Chinese and Korean characters and their punctuation are as wide as they are high; pictures are wider still. */
const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/;
const EMOJI = /\p{Emoji_Presentation}/u;
const EMOJI_PX = 15;
const charWidth = (char: string): number =>
  EMOJI.test(char) ? EMOJI_PX : WIDE.test(char) ? FONT_PX : CHAR_PX;
const width = (text: string): number =>
  Math.round([...text].reduce((px, char) => px + charWidth(char), 2 * PAD_PX));

/** What stands in the left box and in the right one. */
export interface BadgeText {
  label: string;
  message: string;
}

/** Two boxes of text. Made here, with nothing fetched from anywhere. */
export function drawBadge({ label, message }: BadgeText): string {
  const [left, right] = [width(label), width(message)];
  const [l, m] = [escapeXml(label), escapeXml(message)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${l}: ${m}">
<title>${l}: ${m}</title>
<clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="#3d4248"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="#0072b2"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="${FONT_PX}">
<text x="${left / 2}" y="14">${l}</text>
<text x="${left + right / 2}" y="14">${m}</text>
</g>
</svg>
`;
}
