import type { Hit } from "@/docs/search";

/** Page, heading, and the text around what was found. */
export const HitList = ({ hits, onPick }: { hits: readonly Hit[]; onPick?: () => void }) => (
  <ul className="divide-y divide-line" lang="en">
    {hits.map((hit) => (
      <li key={hit.href}>
        <a href={hit.href} className="block px-3 py-2 hover:bg-sunk" onClick={onPick}>
          <span className="block">
            <span className="text-ink-2">{hit.page}</span>
            {hit.heading !== hit.page && (
              <>
                <span className="text-ink-3"> › </span>
                <span className="font-medium">{hit.heading}</span>
              </>
            )}
          </span>
          <span className="block text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">
            {hit.excerpt.map((piece, place) =>
              piece.found ? <mark key={place}>{piece.text}</mark> : piece.text,
            )}
          </span>
        </a>
      </li>
    ))}
  </ul>
);
