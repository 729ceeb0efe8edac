import type { TermId } from "@/docs/terms";
import type { CsvCell } from "@/lib/csv";
import type { SeriesStyle } from "@/lib/series-style";

export interface Column {
  title: string;
  /** Its line in the glossary. */
  term?: TermId;
  /** What the column means, for a tooltip. */
  hint?: string;
  /** What kind of figures stand in the column, below its title. */
  note?: string;
  /** The note's line in the glossary. */
  noteTerm?: TermId;
  align?: "right";
  /** Words that may take several lines: else the column is as wide as its longest cell. */
  wrap?: true;
}
export interface Cell {
  /** As it is shown, with its unit. */
  text: string;
  /** Why there is no figure, or what the figure is. */
  note?: string | null;
  /** Where the text leads. */
  href?: string | undefined;
}
export interface Row {
  key: string;
  style?: SeriesStyle | undefined;
  cells: Cell[];
  /** With all digits, in the order of the CSV's titles. */
  csv: CsvCell[];
}
/** The table that stands beside a chart and holds the same figures; its CSV has them with all digits. */
export interface TableModel {
  caption: string;
  columns: Column[];
  /** Titles of the CSV's columns, with units in the names. */
  csv: string[];
  rows: Row[];
}
