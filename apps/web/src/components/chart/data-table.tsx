import { bare } from "@rigmark/messages";
import type { SeriesStyle } from "@/lib/series-style";
import { useWords } from "@/lib/words";
import { ScrollBox } from "../ui/scroll-box";
import { MaybeTerm } from "../ui/term";
import { Text } from "../ui/text";
import { SeriesGlyph } from "./glyph";
import type { Cell, TableModel } from "./table-model";

/** A browser chokes on more; the CSV has them all. */
const MOST_ROWS = 1000;

/** The twin of a chart. Its first column stays in sight while the rest scrolls. */
export function DataTable({ model, maxHeight }: { model: TableModel; maxHeight?: number }) {
  const w = useWords();
  return (
    <ScrollBox label={model.caption} style={maxHeight ? { maxHeight, overflowY: "auto" } : undefined}>
      <table className="grid-table" data-sticky>
        <caption className="sr-only">{model.caption}</caption>
        <thead>
          <tr>
            {model.columns.map((column) => (
              <th key={column.title} scope="col" data-align={column.align} title={column.hint}>
                <MaybeTerm id={column.term}>{column.title}</MaybeTerm>
                {column.note && (
                  <span className="note-line">
                    <MaybeTerm id={column.noteTerm}>{column.note}</MaybeTerm>
                  </span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {model.rows.slice(0, MOST_ROWS).map((row) => (
            <tr key={row.key}>
              {row.cells.map((cell, index) => {
                const column = model.columns[index];
                if (index === 0)
                  return (
                    <th key={column?.title} scope="row">
                      <RowName style={row.style} cell={cell} />
                    </th>
                  );
                return (
                  <td key={column?.title} data-align={column?.align} className={column?.wrap && "wrap-short"}>
                    <bdi>
                      <CellText cell={cell} />
                    </bdi>
                    {cell.note && (
                      <span className="note-line" data-long={lengthOf(cell.note)}>
                        <Text text={cell.note} />
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {model.rows.length > MOST_ROWS && (
        <p className="px-3 py-2 text-ink-2">
          {w.t("ui.firstRows", { shown: MOST_ROWS, n: model.rows.length })}
        </p>
      )}
    </ScrollBox>
  );
}

/** A reason of several lines has a wider column, or its row would be as high as a page. */
const lengthOf = (note: string): "some" | "much" | undefined =>
  note.length > 120 ? "much" : note.length > 32 ? "some" : undefined;

/** A plain link: a report has this table, too, and needs no router. */
function CellText({ cell: { text, href } }: { cell: Cell }) {
  if (href === undefined) return <Text text={text} />;
  return (
    <a className="link" href={href}>
      <Text text={text} />
    </a>
  );
}

/** The entry's glyph and name; names may be long, so they wrap beside the glyph. */
function RowName({ style, cell }: { style: SeriesStyle | undefined; cell: Cell }) {
  return (
    <span className="flex gap-2">
      {style && (
        <span className="pt-px">
          <SeriesGlyph style={style} />
        </span>
      )}
      <span className="min-w-0">
        <bdi className="row-name" title={bare(cell.text)}>
          <CellText cell={cell} />
        </bdi>
        {cell.note && (
          <span className="note-line">
            <Text text={cell.note} />
          </span>
        )}
      </span>
    </span>
  );
}
