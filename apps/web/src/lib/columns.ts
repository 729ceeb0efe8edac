/** Rows as one list for each field: on the way to the browser each name is written once, and not once a row. */
export type Columns<T> = { [K in keyof T]: T[K][] };

/** Every row has the fields of the first. Null of no rows. */
export function columnsOf<T extends object>(rows: readonly T[]): Columns<T> | null {
  const [first] = rows;
  if (!first) return null;
  const names = Object.keys(first) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])])) as Columns<T>;
}

export function rowsOf<T extends object>(columns: Columns<T> | null): T[] {
  if (!columns) return [];
  const names = Object.keys(columns) as (keyof T)[];
  const [first] = names;
  const many = first === undefined ? 0 : columns[first].length;
  return Array.from({ length: many }, (_, at) => {
    const row = {} as T;
    for (const name of names) row[name] = columns[name][at] as T[keyof T];
    return row;
  });
}
