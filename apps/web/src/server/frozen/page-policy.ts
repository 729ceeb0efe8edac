import { createHash } from "node:crypto";

const SCRIPT = /<script([^>]*)>([\s\S]*?)<\/script>/g;

/**
 * A page that many readers get cannot have a nonce, which is for one response: whoever reads it once would know it. Its
 * policy names the hash of each script in it instead. Scripts that follow each other become one, so that the header stays
 * short.
 */
export function withHashes(html: string, policy: string): { html: string; policy: string } {
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  if (!nonce) return { html, policy };
  const bare = joinScripts(html.replaceAll(` nonce="${nonce}"`, "").replaceAll(nonce, ""));
  const hashes = [...bare.matchAll(SCRIPT)]
    .filter(([, attributes = ""]) => !/\ssrc=/.test(attributes))
    .map(([, , text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  return { html: bare, policy: policy.replace(`'nonce-${nonce}'`, [...new Set(hashes)].join(" ")) };
}

function joinScripts(html: string): string {
  let joined = "";
  let end = 0;
  /** Text of the plain scripts that end where the next one may begin. */
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) joined += `<script>${open.join(";\n")}</script>`;
    open = [];
  };
  for (const match of html.matchAll(SCRIPT)) {
    const [whole, attributes, text = ""] = match;
    if (match.index > end) {
      close();
      joined += html.slice(end, match.index);
    }
    if (attributes === "") open.push(text);
    else {
      close();
      joined += whole;
    }
    end = match.index + whole.length;
  }
  close();
  return joined + html.slice(end);
}
