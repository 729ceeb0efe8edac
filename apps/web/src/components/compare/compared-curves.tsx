"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type CompareState, LATENCIES_OF } from "@/lib/compare-path";
import { encodedValue, namesIn, withNames } from "@/lib/query";
import type { Compared } from "@/lib/results/compared";
import {
  type ComparedCurvesFigure,
  comparedCurvesFigure,
  namesWithCurves,
} from "@/lib/results/compared-curves-figure";
import { replaceQuery, useAddressQuery } from "@/lib/use-address-query";
import { useWords } from "@/lib/words";
import { useTRPC } from "@/trpc/client";
import { ChartFigure } from "../chart/chart-figure";
import { SeriesGlyph } from "../chart/glyph";
import { Problem } from "../ui/problem";

interface ComparedCurvesProps {
  workspace: string;
  state: CompareState;
  of: Compared;
}

/** Latency percentiles over each other. Read when somebody opens it, or follows a link to a choice of entries: the histograms of twenty runs are large. */
export function ComparedCurves({ workspace, state, of }: ComparedCurvesProps) {
  const w = useWords();
  const trpc = useTRPC();
  const query = useAddressQuery();
  const [toggled, setToggled] = useState<boolean | null>(null);
  // A link that names entries leads to them.
  const open = toggled ?? encodedValue(query, LATENCIES_OF) !== "";
  const { runIds, reports } = state;
  const { data, error } = useQuery(
    trpc.run.compareCurves.queryOptions({ workspace, runIds, reports }, { enabled: open }),
  );
  const names = data ? namesWithCurves(of, data) : [];
  const chosen = namesIn(query, LATENCIES_OF, names);
  const figures =
    data &&
    of.scenarios.flatMap((scenario) => {
      const figure = comparedCurvesFigure(w, of, scenario, data, chosen);
      return figure ? [{ figure, key: `${scenario.scenario} ${scenario.rows[0]?.run}` }] : [];
    });
  return (
    <details data-fold open={open} onToggle={(event) => setToggled(event.currentTarget.open)}>
      <summary>
        <h2 className="mr-2 inline text-[1.0715rem]">Latency percentiles</h2>
        <span className="text-ink-2">of each entry in each run, in one chart</span>
      </summary>
      <div className="mt-2 space-y-4">
        {error && <Problem message={error.message} />}
        {!error && !figures && (
          <p role="status" className="no-print text-ink-2">
            Adding up the histograms…
          </p>
        )}
        {figures?.length === 0 && (
          <p className="text-ink-2">
            None of these runs has latency histograms to show. Some load tools report only single percentiles;
            see the page of each run.
          </p>
        )}
        <CurveChoice {...{ names, chosen }} />
        {figures?.map(({ figure: { legend, ...figure }, key }) => (
          <ChartFigure
            key={key}
            {...figure}
            csvName={`latency ${key}`}
            controls={<CurveLegend legend={legend} />}
          />
        ))}
      </div>
    </details>
  );
}

/** As links of the page look that are chosen. */
const PRESSED = "aria-pressed:border-accent aria-pressed:bg-accent-wash";

interface CurveChoiceProps {
  names: readonly string[];
  /** None: all are drawn, as far as there is room. */
  chosen: readonly string[];
}

/** Of which entries lines are drawn, in the charts of all scenarios. The address holds it, so that a link shows the same. */
export function CurveChoice({ names, chosen }: CurveChoiceProps) {
  const w = useWords();
  if (names.length < 2) return null;
  const choose = (next: readonly string[]) => replaceQuery(withNames(location.search, LATENCIES_OF, next));
  const toggle = (name: string) =>
    choose(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      role="group"
      aria-label={w.t("figure.compared.drawOnly")}
      className="no-print flex flex-wrap items-center gap-2"
    >
      <span aria-hidden="true" className="text-ink-2">
        {w.t("figure.compared.drawOnly")}
      </span>
      <button
        type="button"
        className={`btn ${PRESSED}`}
        data-size="small"
        aria-pressed={chosen.length === 0}
        onClick={() => choose([])}
      >
        {w.t("figure.compared.allEntries")}
      </button>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className={`btn max-w-full ${PRESSED}`}
          data-size="small"
          aria-pressed={chosen.includes(name)}
          onClick={() => toggle(name)}
        >
          <bdi className="truncate">{name}</bdi>
        </button>
      ))}
    </div>
  );
}

/** Which line is which, and where its entry is not as in its first run. Below the title and the buttons, as wide as the chart. */
export function CurveLegend({ legend }: Pick<ComparedCurvesFigure, "legend">) {
  const w = useWords();
  if (legend.length === 0) return null;
  return (
    <ul
      aria-label={w.t("figure.compared.lines")}
      className="order-last flex basis-full flex-wrap gap-x-4 gap-y-0.5 text-[0.929rem]"
    >
      {legend.map(({ key, name, style, changed }) => (
        <li key={key} className="min-w-0 [overflow-wrap:anywhere]">
          <SeriesGlyph style={style} /> <bdi>{name}</bdi>
          {changed && <span className="text-ink-2"> · {changed}</span>}
        </li>
      ))}
    </ul>
  );
}
