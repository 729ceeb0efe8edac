"use client";

import type { ReactNode } from "react";
import type { SeriesStyle } from "@/lib/series-style";
import { SeriesGlyph } from "../chart/glyph";
import { Text } from "../ui/text";

/** A row as it is written: made where all words are, so that hundreds of them take little in a page. */
export interface TrialRow {
  /** Place of its entry. */
  entry: number;
  /** Place of its scenario. */
  scenario: number;
  block: number;
  state: string;
  /** It does not count. */
  bad: boolean;
  reason: string | null;
  labels: string | null;
  figures: string[];
  limit: string;
}

interface TrialRowsProps {
  rows: readonly TrialRow[];
  entries: readonly { label: string; style: SeriesStyle | undefined }[];
  /** Titles; null where there is one scenario. */
  scenarios: readonly string[] | null;
  /** A last cell, for the row at this place. */
  raw?: ((place: number) => ReactNode) | undefined;
}

/** The body of the table of trials. */
export function TrialRows({ rows, entries, scenarios, raw }: TrialRowsProps) {
  return (
    <tbody>
      {rows.map((row, place) => {
        const entry = entries[row.entry];
        return (
          <tr key={`${row.entry} ${row.scenario} ${row.block}`}>
            <th scope="row">
              {entry?.style && <SeriesGlyph style={entry.style} />} <bdi>{entry?.label}</bdi>
            </th>
            {scenarios && (
              <td className="wrap-short">
                <Text text={scenarios[row.scenario] ?? ""} />
              </td>
            )}
            <td data-align="right">{row.block}</td>
            <td className={`${row.reason || row.labels ? "wrap" : ""} ${row.bad ? "text-bad" : ""}`}>
              {row.state}
              {row.reason && <Text text={row.reason} />}
              {row.labels && (
                <span className="block text-[0.857rem] text-ink-2">
                  <Text text={row.labels} />
                </span>
              )}
            </td>
            {row.figures.map((figure, column) => (
              <td key={column} data-align="right">
                {figure}
              </td>
            ))}
            <td>{row.limit}</td>
            {raw && <td>{raw(place)}</td>}
          </tr>
        );
      })}
    </tbody>
  );
}
