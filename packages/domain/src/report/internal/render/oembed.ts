import type { ReportSnapshot } from "@rigmark/results";
import { FRAME_WIDTH, frameHeight, frameOf } from "@rigmark/results/embed";
import type { Language } from "@rigmark/results/language";

/** How long a program that shows the frame may keep this, in seconds. What is in the frame is asked for each time. */
const CACHE_S = 300;

/** A report as oEmbed 1.0 has it (https://oembed.com): the HTML of a frame, and a picture for who shows no frames. */
export function renderOembed(snapshot: ReportSnapshot, url: string, language: Language = "en"): string {
  const title = snapshot.title.replace(/\p{Cc}/gu, " ");
  const entries = snapshot.runs[0]?.entries.length ?? 1;
  const lang = language === "zh" ? "?lang=zh" : "";
  return JSON.stringify({
    version: "1.0",
    type: "rich",
    title,
    provider_name: "Rigmark",
    provider_url: new URL(url).origin,
    cache_age: CACHE_S,
    html: frameOf({ url, title, entries, language }),
    width: FRAME_WIDTH,
    height: frameHeight(entries),
    thumbnail_url: `${url}/og.png${lang}`,
    thumbnail_width: 1200,
    thumbnail_height: 630,
  });
}
