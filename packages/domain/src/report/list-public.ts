import { all, sql } from "@rigmark/db";
import type { ExploreFilter, ExploreItem, ExplorePage } from "@rigmark/results";
import { EXPLORE_FILTERS, EXPLORE_PAGE, type ExploreFilterName } from "@rigmark/results/explore";
import type { Language } from "@rigmark/results/language";
import type { Call, Ctx } from "../context";
import { decodeCursor, encodeCursor } from "../internal/cursor";
import { iso } from "../internal/moment";
import { storable } from "../internal/text";
import { wordsOf } from "../internal/words";

/** Public reports of which filters are offered, newest first, and how many values of each. */
const [RECENT, MOST_VALUES] = [500, 50];
/** Names that a line shows. */
const MOST_NAMES = 8;

interface Row {
  report_id: string;
  slug: string;
  created_at: Date;
  title: string;
  sentence: string;
  sentence_zh: string;
  runs: number;
  machines: string[];
  scenarios: string[];
  servers: string[];
}

/** Reports that their authors made public, of all workspaces, newest first. For anybody. */
export async function listPublicReports({
  ctx,
  input,
}: Call<{
  filter?: ExploreFilter | undefined;
  cursor?: string | null | undefined;
  language: Language;
}>): Promise<ExplorePage> {
  const place = decodeCursor(input.cursor);
  const [rows, filters] = await Promise.all([readPage(ctx, input.filter ?? {}, place), readFilters(ctx)]);
  const page = rows.slice(0, EXPLORE_PAGE);
  const last = page.at(-1);
  return {
    reports: page.map((row) => itemOf(row, input.language)),
    next_cursor: rows.length > page.length && last ? encodeCursor(last.created_at, last.report_id) : null,
    filters,
  };
}

/** Words are looked for as they stand: what LIKE would take for a wildcard is none here. */
function readPage(
  ctx: Ctx,
  filter: ExploreFilter,
  [at, id]: ReturnType<typeof decodeCursor>,
): Promise<Row[]> {
  const words = wordsOf(filter.q?.toLowerCase());
  const [suite, scenario, arch, cpu] = EXPLORE_FILTERS.map((name) => {
    const value = filter[name];
    return value ? storable(value) : null;
  });
  return all<Row>(
    ctx.db,
    sql`SELECT p.report_id, s.slug, p.created_at, l.title, l.sentence, l.sentence_zh, l.runs, l.machines, l.scenarios, l.servers
        FROM report p JOIN report_listing l USING (workspace_id, report_id)
        JOIN report_slug s USING (workspace_id, report_id) JOIN workspace w USING (workspace_id)
        WHERE p.visibility = 'public' AND p.revoked_at IS NULL AND (p.expires_at IS NULL OR p.expires_at > ${ctx.now()})
          AND w.deleted_at IS NULL
          AND (${at}::timestamptz IS NULL OR (p.created_at, p.report_id) < (${at}::timestamptz, ${id}::uuid))
          AND (${suite}::text IS NULL OR ${suite}::text = ANY(l.suites))
          AND (${scenario}::text IS NULL OR ${scenario}::text = ANY(l.scenarios))
          AND (${arch}::text IS NULL OR ${arch}::text = ANY(l.archs))
          AND (${cpu}::text IS NULL OR ${cpu}::text = ANY(l.cpus))
          AND (${words}::text[] IS NULL
            OR (SELECT bool_and(strpos(l.words, t.word) > 0) FROM unnest(${words}::text[]) AS t(word)))
        ORDER BY p.created_at DESC, p.report_id DESC LIMIT ${EXPLORE_PAGE + 1}`,
  );
}

async function readFilters(ctx: Ctx): Promise<ExplorePage["filters"]> {
  const rows = await all<{ name: ExploreFilterName; value: string }>(
    ctx.db,
    sql`WITH recent AS MATERIALIZED (
          SELECT l.suites, l.scenarios, l.archs, l.cpus
          FROM report p JOIN report_listing l USING (workspace_id, report_id) JOIN workspace w USING (workspace_id)
          WHERE p.visibility = 'public' AND p.revoked_at IS NULL AND (p.expires_at IS NULL OR p.expires_at > ${ctx.now()})
            AND w.deleted_at IS NULL
          ORDER BY p.created_at DESC, p.report_id DESC LIMIT ${RECENT}
        ), found (name, value) AS (
          SELECT 'suite', v FROM recent, unnest(suites) v
          UNION ALL SELECT 'scenario', v FROM recent, unnest(scenarios) v
          UNION ALL SELECT 'arch', v FROM recent, unnest(archs) v
          UNION ALL SELECT 'cpu', v FROM recent, unnest(cpus) v
        ), ranked AS (
          SELECT name, value, row_number() OVER (PARTITION BY name ORDER BY count(*) DESC, value) AS place
          FROM found GROUP BY name, value
        )
        SELECT name, value FROM ranked WHERE place <= ${MOST_VALUES} ORDER BY name, place`,
  );
  return EXPLORE_FILTERS.flatMap((name) => {
    const values = rows.filter((row) => row.name === name).map((row) => row.value);
    return values.length > 0 ? [{ name, values }] : [];
  });
}

function itemOf(row: Row, asked: Language): ExploreItem {
  const language = asked === "zh" && row.sentence_zh !== "" ? "zh" : "en";
  return {
    slug: row.slug,
    title: row.title,
    created_at: iso(row.created_at),
    sentence: (language === "zh" ? row.sentence_zh : row.sentence) || null,
    language,
    runs: row.runs,
    machines: row.machines.slice(0, MOST_NAMES),
    scenarios: row.scenarios.slice(0, MOST_NAMES),
    servers: row.servers.slice(0, MOST_NAMES),
    more: {
      machines: beyond(row.machines),
      scenarios: beyond(row.scenarios),
      servers: beyond(row.servers),
    },
  };
}

const beyond = (names: readonly string[]): number => Math.max(0, names.length - MOST_NAMES);
