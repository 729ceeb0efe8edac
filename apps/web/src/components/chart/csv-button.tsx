"use client";

import { fileName, toCsv } from "@/lib/csv";
import { useWords } from "@/lib/words";
import type { TableModel } from "./table-model";

/** The figures of a table with all their digits. */
export function CsvButton({ table, name, title }: { table: TableModel; name: string; title: string }) {
  const w = useWords();
  const download = () => {
    const csv = toCsv([table.csv, ...table.rows.map((row) => row.csv)]);
    const url = URL.createObjectURL(new Blob([csv], { type: "text/csv;charset=utf-8" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `${fileName(name)}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  return (
    <button
      type="button"
      className="btn"
      data-size="small"
      onClick={download}
      aria-label={w.t("ui.csvLabel", { title })}
    >
      CSV
    </button>
  );
}
