/** What stands under a slug. */
export interface Content {
  sha256: string;
  membersOnly: boolean;
}

/** A revoked report is gone within a second: half of it for us, half for whoever is on the way. */
const FRESH_MS = 400;
const MOST = 5000;

interface LookUp {
  sent_ms: number;
  content: Promise<Content | null>;
}

/** Asks the database what stands under a slug, at most once in 400 ms for each slug; requests meanwhile share the response. */
export function makeLookUps(
  ask: (slug: string) => Promise<Content | null>,
  now: () => number = performance.now.bind(performance),
): (slug: string) => Promise<Content | null> {
  const known = new Map<string, LookUp>();
  return (slug) => {
    const sent_ms = now();
    const last = known.get(slug);
    if (last && sent_ms - last.sent_ms < FRESH_MS) return last.content;
    const content = ask(slug);
    content.catch(() => undefined);
    known.delete(slug);
    known.set(slug, { sent_ms, content });
    for (const oldest of known.keys()) {
      if (known.size <= MOST) break;
      known.delete(oldest);
    }
    return content;
  };
}
