import type pg from "pg";

export interface Query {
  text: string;
  values: unknown[];
}
export interface Queryable {
  query<T extends pg.QueryResultRow>(query: Query): Promise<pg.QueryResult<T>>;
}

/** A statement with its values apart: sql`SELECT … WHERE id = ${id}`. A nested Query is woven in. */
export function sql(strings: TemplateStringsArray, ...inserts: unknown[]): Query {
  const values: unknown[] = [];
  let text = strings[0] ?? "";
  inserts.forEach((insert, i) => {
    if (isQuery(insert)) {
      text += insert.text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + values.length}`);
      values.push(...insert.values);
    } else {
      values.push(insert);
      text += `$${values.length}`;
    }
    text += strings[i + 1] ?? "";
  });
  return { text, values };
}

const isQuery = (value: unknown): value is Query =>
  typeof value === "object" &&
  value !== null &&
  "text" in value &&
  "values" in value &&
  Object.keys(value).length === 2;

export async function all<T extends pg.QueryResultRow>(on: Queryable, query: Query): Promise<T[]> {
  return (await on.query<T>(query)).rows;
}
export async function one<T extends pg.QueryResultRow>(on: Queryable, query: Query): Promise<T | null> {
  return (await on.query<T>(query)).rows[0] ?? null;
}
/** Number of rows that were written. */
export async function run(on: Queryable, query: Query): Promise<number> {
  return (await on.query(query)).rowCount ?? 0;
}
