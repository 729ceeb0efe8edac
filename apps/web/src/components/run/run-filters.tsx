import type { RunFilterValues, RunListFilter } from "@rigmark/results";
import { VALUE_FILTERS, type ValueFilter } from "@rigmark/results/run-list";
import Link from "next/link";
import {
  chosenIn,
  FILTER_TITLES,
  labelOf,
  paramOf,
  runsPath,
  SEARCH_ID,
  toggled,
  valuesOf,
  without,
} from "@/lib/run-filter";
import { plainLine } from "@/lib/text";
import { ListSearch } from "../ui/list-search";
import { FilterMenu } from "./filter-menu";

interface RunFiltersProps {
  workspace: string;
  filter: RunListFilter;
  /** What the runs of the workspace have. */
  offered: RunFilterValues["filters"];
}

/** Search, a menu for each filter, and a chip for each value that is chosen. Links and a form do all of it. */
export function RunFilters({ workspace, filter, offered }: RunFiltersProps) {
  const chosen = chosenIn(filter);
  const shown = VALUE_FILTERS.filter(
    (name) => offered.some((each) => each.name === name) || valuesOf(filter, name).length > 0,
  );
  return (
    <search aria-label="Runs" className="no-print mb-4 block space-y-2">
      <ListSearch
        action={`/w/${workspace}/runs`}
        q={filter.q ?? ""}
        placeholder="Search runs"
        label="Search runs by name, note, server, scenario, branch, commit, host or person"
        id={SEARCH_ID}
        shortcut="/"
      >
        {chosen
          .filter(({ name }) => name !== "q")
          .map(({ name, value }) => (
            <input key={`${name} ${value}`} type="hidden" name={paramOf(name)} value={value} />
          ))}
      </ListSearch>
      <div className="relative flex flex-wrap items-center gap-2">
        {shown.map((name) => (
          <FilterMenu key={name} title={FILTER_TITLES[name]} chosen={valuesOf(filter, name).length}>
            <MenuValues workspace={workspace} filter={filter} offered={offered} name={name} />
          </FilterMenu>
        ))}
      </div>
      {chosen.length > 0 && (
        <ul aria-label="Chosen filters" className="flex flex-wrap items-center gap-2">
          {chosen.map(({ name, value }) => (
            <li key={`${name} ${value}`} className="max-w-full">
              <Link
                className="chip"
                href={runsPath(workspace, without(filter, name, value))}
                prefetch={false}
                scroll={false}
              >
                <span className="sr-only">Remove the filter </span>
                {FILTER_TITLES[name]}{" "}
                <bdi className="font-medium text-ink">{plainLine(labelOf(offered, name, value))}</bdi>
                <span aria-hidden="true">×</span>
              </Link>
            </li>
          ))}
          <li>
            <Link className="link" href={runsPath(workspace, {})}>
              Show all runs
            </Link>
          </li>
        </ul>
      )}
    </search>
  );
}

/** What there is, and what is chosen though it is not there any more. */
function MenuValues({ workspace, filter, offered, name }: RunFiltersProps & { name: ValueFilter }) {
  const known = offered.find((each) => each.name === name)?.values.map(({ value }) => value) ?? [];
  const chosen = valuesOf(filter, name);
  return (
    <ul>
      {[...new Set([...known, ...chosen])].map((value) => {
        const next = toggled(filter, name, value);
        const on = chosen.includes(value);
        const line = (
          <>
            <span aria-hidden="true" className="inline-block w-5">
              {on && "✓"}
            </span>
            <bdi>{plainLine(labelOf(offered, name, value))}</bdi>
            {on && <span className="sr-only"> (chosen)</span>}
          </>
        );
        return (
          <li key={value} className="[overflow-wrap:anywhere]">
            {next ? (
              <Link
                className="menu-item hover:bg-sunk focus-visible:bg-sunk"
                href={runsPath(workspace, next)}
                prefetch={false}
                scroll={false}
              >
                {line}
              </Link>
            ) : (
              <span className="menu-item cursor-default text-ink-3">{line}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
