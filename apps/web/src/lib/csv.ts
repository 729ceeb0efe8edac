export type CsvCell = string | number | boolean | null | undefined;

/**
 * A cell that a spreadsheet would take for a formula gets an apostrophe; unknown is an empty cell. Some languages separate
 * cells by semicolons: what follows one is no cell of its own.
 */
function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "string") return String(cell);
  const safe = /^\s*[=+\-@]|^[\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",;\t\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const toCsv = (rows: readonly (readonly CsvCell[])[]): string =>
  `${rows.map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`;

/** Letters, digits and hyphens, for the name of a file. */
export const fileName = (...parts: string[]): string =>
  parts
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80) || "rigmark";
