/** A revoked report is gone within a second: half of it for us, half for whoever is on the way. */
const FRESH_MS = 400;
const MOST = 5000;

interface LookUp {
  sent_ms: number;
  hash: Promise<string | null>;
}

/** Asks the database what stands under a slug, at most once in 400 ms for each slug; requests meanwhile share the response. */
export function makeLookUps(
  ask: (slug: string) => Promise<string | null>,
  now: () => number = performance.now.bind(performance),
): (slug: string) => Promise<string | null> {
  const known = new Map<string, LookUp>();
  return (slug) => {
    const sent_ms = now();
    const last = known.get(slug);
    if (last && sent_ms - last.sent_ms < FRESH_MS) return last.hash;
    const hash = ask(slug);
    hash.catch(() => undefined);
    known.delete(slug);
    known.set(slug, { sent_ms, hash });
    for (const oldest of known.keys()) {
      if (known.size <= MOST) break;
      known.delete(oldest);
    }
    return hash;
  };
}
