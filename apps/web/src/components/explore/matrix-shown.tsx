import type { LeaderboardMatrix, MatrixFilter } from "@rigmark/results";
import { MOST_CHOSEN } from "@rigmark/results/explore";
import { useTranslations } from "next-intl";
import { matrixPath } from "@/lib/explore-path";

/** A mean of one scenario would be its ratio. */
const FEWEST = 2;

interface MatrixShownProps {
  matrix: Pick<LeaderboardMatrix, "scenarios" | "rows">;
  filter: MatrixFilter;
}

/** How much is shown. Where some rows lack a scenario, it leads to those that give each row a mean. */
export function MatrixShown({ matrix, filter }: MatrixShownProps) {
  const t = useTranslations("public.matrix");
  const { scenarios, rows } = matrix;
  const common = inAllRows(matrix);
  const chosen = common.slice(0, MOST_CHOSEN);
  const servers = new Set(rows.map(({ label }) => label)).size;
  return (
    <p className="mb-2 flex flex-wrap gap-x-3 text-ink-2">
      <span>{t("shown", { servers, scenarios: scenarios.length })}</span>
      {common.length >= FEWEST && common.length < scenarios.length && (
        <a className="link" href={matrixPath({ ...filter, scenario: chosen })}>
          {t("common", { n: chosen.length })}
        </a>
      )}
    </p>
  );
}

const inAllRows = ({ scenarios, rows }: MatrixShownProps["matrix"]): string[] =>
  scenarios.flatMap(({ scenario }, place) => (rows.every(({ cells }) => cells[place]) ? [scenario] : []));
