import pg from "pg";

/** A column of a statement's result, as far as PostgreSQL tells without running it. */
export interface ResultColumn {
  name: string;
  /** Such as `text`, `int8` or `_uuid`. */
  type: string;
  /** It comes straight from a column that may be null. False for what is computed: nobody knows. */
  nullable: boolean;
}

export interface Describer {
  /** Throws what PostgreSQL says when the statement does not fit the schema. */
  columns(text: string): Promise<ResultColumn[]>;
  close(): Promise<void>;
}

/** For tests: has statements prepared, and runs none of them. */
export async function openDescriber(url: string): Promise<Describer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const types = await map<string>(client, "SELECT oid::text AS key, typname AS value FROM pg_type");
  const notNull = await map<boolean>(
    client,
    "SELECT attrelid || ' ' || attnum AS key, attnotnull AS value FROM pg_attribute WHERE attnum > 0",
  );
  return {
    columns: async (text) =>
      (await describe(client, text)).map(({ name, dataTypeID, tableID, columnID }) => ({
        name,
        type: types.get(String(dataTypeID)) ?? String(dataTypeID),
        nullable: notNull.get(`${tableID} ${columnID}`) === false,
      })),
    close: () => client.end(),
  };
}

async function map<Value>(client: pg.Client, text: string): Promise<Map<string, Value>> {
  const { rows } = await client.query<{ key: string; value: Value }>(text);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** pg runs what it is given; this only parses and describes, as its cursors do before they read. */
function describe(client: pg.Client, text: string): Promise<pg.FieldDef[]> {
  return new Promise((resolve, reject) => {
    let fields: pg.FieldDef[] = [];
    client.query({
      submit: (connection: pg.Connection) => {
        connection.parse({ name: "", text, types: [] }, true);
        connection.describe({ type: "S", name: "" }, true);
        connection.sync();
      },
      handleRowDescription: (message: { fields: pg.FieldDef[] }) => {
        fields = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    } as pg.Submittable);
  });
}
