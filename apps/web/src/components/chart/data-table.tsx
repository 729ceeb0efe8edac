import { SeriesGlyph } from "./glyph";
import type { TableModel } from "./table-model";

/** The twin of a chart. Its first column stays in sight while the rest scrolls. */
export function DataTable({ model, maxHeight }: { model: TableModel; maxHeight?: number }) {
  return (
    <section
      className="scroll-x"
      style={maxHeight ? { maxHeight, overflowY: "auto" } : undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={model.caption}
    >
      <table className="grid-table" data-sticky>
        <caption className="sr-only">{model.caption}</caption>
        <thead>
          <tr>
            {model.columns.map((column) => (
              <th key={column.title} scope="col" data-align={column.align} title={column.hint}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {model.rows.map((row) => (
            <tr key={row.key}>
              {row.cells.map((cell, index) => {
                const column = model.columns[index];
                const inner = (
                  <>
                    {index === 0 && row.style && (
                      <span className="mr-2">
                        <SeriesGlyph style={row.style} />
                      </span>
                    )}
                    <bdi>{cell.text}</bdi>
                    {cell.note && (
                      <span
                        className={index === 0 ? "ml-1.5 text-[0.857rem] text-ink-3" : "note-line"}
                        data-long={cell.note.length > 32 || undefined}
                      >
                        {cell.note}
                      </span>
                    )}
                  </>
                );
                return index === 0 ? (
                  <th key={column?.title} scope="row">
                    {inner}
                  </th>
                ) : (
                  <td key={column?.title} data-align={column?.align}>
                    {inner}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
