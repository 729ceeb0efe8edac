"use client";

import { fileName, toCsv } from "@/lib/csv";
import { download } from "@/lib/download";
import { useWords } from "@/lib/words";
import type { TableModel } from "./table-model";

/** The figures of a table with all their digits. */
export function CsvButton({ table, name, title }: { table: TableModel; name: string; title: string }) {
  const w = useWords();
  const save = () => {
    const csv = toCsv([table.csv, ...table.rows.map((row) => row.csv)]);
    download(new Blob([csv], { type: "text/csv;charset=utf-8" }), `${fileName(name)}.csv`);
  };
  return (
    <button
      type="button"
      className="btn"
      data-size="small"
      onClick={save}
      aria-label={w.t("ui.csvLabel", { title })}
    >
      CSV
    </button>
  );
}
