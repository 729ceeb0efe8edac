import type { MatrixFilter } from "@rigmark/results";
import { useTranslations } from "next-intl";
import { csvPath } from "@/lib/explore-path";

interface CsvLinkProps {
  /** Path of the page. */
  page: string;
  filter: MatrixFilter;
  /** What its rows are sorted by. */
  by?: string | undefined;
}

/** To the rows of a page as data. */
export function CsvLink({ page, filter, by }: CsvLinkProps) {
  const t = useTranslations("public.explore");
  return (
    <a className="link" href={csvPath(page, filter, by)}>
      {t("csv")}
    </a>
  );
}
