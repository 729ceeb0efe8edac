import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { DocFrame } from "@/components/docs/doc-frame";
import { HitList } from "@/components/docs/hit-list";
import { allSections } from "@/docs";
import { makeSearch, type Search } from "@/docs/search";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations("docs.results"))("metaTitle"),
});

/** More words than anybody types cost time on every section. */
const LONGEST = 200;

let search: Search | null = null;

export default async function DocSearchPage({ searchParams }: PageProps<"/docs/search">) {
  const t = await getTranslations("docs.results");
  const { q } = await searchParams;
  const query = (Array.isArray(q) ? q.join(" ") : (q ?? "")).slice(0, LONGEST).trim();
  search ??= makeSearch(allSections());
  const hits = query === "" ? [] : search(query);
  return (
    <DocFrame query={query}>
      <h1>{t("title")}</h1>
      <p className="mt-1 mb-3 text-ink-2 [overflow-wrap:anywhere]">
        {query === ""
          ? t("empty")
          : hits.length === 0
            ? t("none", { query })
            : t("found", { n: hits.length, query })}
      </p>
      {hits.length > 0 && (
        <div className="panel">
          <HitList hits={hits} />
        </div>
      )}
    </DocFrame>
  );
}
