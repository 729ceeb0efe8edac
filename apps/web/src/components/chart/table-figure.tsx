import { Text } from "../ui/text";
import { CsvButton } from "./csv-button";
import { DataTable } from "./data-table";
import type { TableModel } from "./table-model";

const MAX_PX = 640;

interface TableFigureProps {
  title: string;
  /** Where the title does not say what the figures are. */
  summary?: string;
  table: TableModel;
  csvName: string;
  /** As high as it is, to be read in one go; else it scrolls within its panel. */
  whole?: boolean;
}

/** Figures that no chart would show better: a table with its caption and its CSV. */
export function TableFigure({ title, summary, table, csvName, whole = false }: TableFigureProps) {
  return (
    <figure className="panel min-w-0" aria-label={title}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-3 pb-2">
        <h3 className="mr-auto">{title}</h3>
        <span className="no-print">
          <CsvButton table={table} name={csvName} title={title} />
        </span>
      </div>
      <DataTable model={table} {...(whole ? {} : { maxHeight: MAX_PX })} />
      {summary && (
        <figcaption className="border-line border-t px-4 py-2 text-[0.929rem] text-ink-2">
          <Text text={summary} />
        </figcaption>
      )}
    </figure>
  );
}
