import type { Metadata } from "next";
import { DocFrame } from "@/components/docs/doc-frame";
import { HitList } from "@/components/docs/hit-list";
import { allSections } from "@/docs";
import { makeSearch, type Search } from "@/docs/search";
import { plural } from "@/lib/text";

export const metadata: Metadata = { title: "Search the docs" };

/** More words than anybody types cost time on every section. */
const LONGEST = 200;

let search: Search | null = null;

export default async function DocSearchPage({ searchParams }: PageProps<"/docs/search">) {
  const { q } = await searchParams;
  const query = (Array.isArray(q) ? q.join(" ") : (q ?? "")).slice(0, LONGEST).trim();
  search ??= makeSearch(allSections());
  const hits = query === "" ? [] : search(query);
  return (
    <DocFrame query={query}>
      <h1>Search</h1>
      <p className="mt-1 mb-3 text-ink-2 [overflow-wrap:anywhere]">
        {query === ""
          ? "Type what you look for in the search field."
          : hits.length === 0
            ? `Nothing has all of the words “${query}”. Try fewer.`
            : `${plural(hits.length, "place")} with “${query}”`}
      </p>
      {hits.length > 0 && (
        <div className="panel">
          <HitList hits={hits} />
        </div>
      )}
    </DocFrame>
  );
}
