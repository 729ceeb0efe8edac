"use client";

import { type ReactNode, useId, useMemo, useState } from "react";
import { useWords } from "@/lib/words";
import { Text } from "../ui/text";
import { ChartCanvas } from "./chart-canvas";
import { type ChartData, chartHeight } from "./chart-data";
import { CsvButton } from "./csv-button";
import { DataTable } from "./data-table";
import { useHiddenEntries } from "./entry-filter";
import { PictureButtons } from "./picture-buttons";
import type { TableModel } from "./table-model";
import { isBare, withoutEntries } from "./without-entries";

interface ChartFigureProps {
  title: string;
  /** What the chart shows, in one or two sentences: its caption for those who see, its text for those who do not. */
  summary: string;
  chart: ChartData;
  table: TableModel;
  csvName: string;
  /** `below`: the table stands under the chart; `toggle`: one of the two is shown. */
  twin?: "below" | "toggle";
  controls?: ReactNode;
  /** Why there is nothing to draw. The table stays within reach where it has rows. */
  empty?: string | null;
  /** Empty for now: as tall as it will be. */
  holdHeight?: boolean;
  /** Begins as its table: the same picture stands already on the page. */
  tableFirst?: boolean;
}

/** Every chart of Rigmark: caption, picture with a text summary, the same figures as a table and as CSV. */
export function ChartFigure({
  title,
  summary,
  chart,
  table,
  csvName,
  twin = "toggle",
  controls,
  empty,
  holdHeight = false,
  tableFirst = false,
}: ChartFigureProps) {
  const w = useWords();
  const [asTable, setAsTable] = useState(tableFirst);
  const heading = useId();
  const hidden = useHiddenEntries();
  const shown = useMemo(() => withoutEntries(chart, hidden), [chart, hidden]);
  const allHidden = shown !== chart && isBare(shown);
  const showTable = twin === "below" || asTable;
  return (
    <figure className="panel min-w-0" aria-labelledby={heading}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-3">
        <h3 id={heading} className="mr-auto">
          {title}
        </h3>
        {controls}
        {(!empty || table.rows.length > 0) && (
          <div className="no-print flex flex-wrap items-center gap-2">
            {twin === "toggle" && (
              <div className="segmented">
                <button type="button" aria-pressed={!asTable} onClick={() => setAsTable(false)}>
                  {w.t("ui.chart")}
                </button>
                <button type="button" aria-pressed={asTable} onClick={() => setAsTable(true)}>
                  {w.t("ui.table")}
                </button>
              </div>
            )}
            <CsvButton table={table} name={csvName} title={title} />
            {!(empty || allHidden) && <PictureButtons data={shown} name={csvName} title={title} />}
          </div>
        )}
      </div>
      {empty && !asTable ? (
        <p
          className="px-4 pt-2 pb-4 text-ink-2"
          style={holdHeight ? { minHeight: chartHeight(chart) + 64 } : undefined}
        >
          <Text text={empty} />
        </p>
      ) : (
        <>
          {(twin === "below" || !asTable) && (
            <div className="px-4 pt-2">
              <noscript>
                <p className="text-ink-2">{w.t("ui.chartNeedsScript")}</p>
              </noscript>
              {allHidden ? (
                <p className="text-ink-2" style={{ height: chartHeight(chart) }}>
                  {w.t("ui.allHidden")}
                </p>
              ) : (
                <ChartCanvas
                  data={shown}
                  // As high as with all entries: nothing moves when one is hidden.
                  height={chartHeight(chart)}
                  label={w.t("ui.chartLabel", { title, summary })}
                />
              )}
            </div>
          )}
          {showTable && (
            <div className={twin === "below" ? "mt-3 border-line border-t" : "mt-2"}>
              <DataTable
                model={table}
                maxHeight={twin === "toggle" ? Math.max(chartHeight(chart), 280) : 640}
              />
            </div>
          )}
          <figcaption className="border-line border-t px-4 py-2 text-[0.929rem] text-ink-2">
            <Text text={summary} />
            {chart.kind === "time" && !asTable && (
              <span className="no-print">
                {w.t("ui.space")}
                {w.t("ui.zoomHint")}
              </span>
            )}
          </figcaption>
        </>
      )}
    </figure>
  );
}
