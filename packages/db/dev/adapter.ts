import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum, type SqlQuery } from "@prisma/driver-adapter-utils";

/** PostgreSQL's internal one-byte type "char", which stands in the system tables that the engine reads. */
const CHAR = 18;
const TEXT = 25;

/**
 * The ordinary adapter knows no "char" and refuses the whole result. Such a column is read as text and handed on as
 * a character, which is what the engine expects.
 */
export class MigrationAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const inner = adapter as unknown as {
      performIO(query: unknown): Promise<{ fields: { dataTypeID: number }[] }>;
    };
    const performIO = inner.performIO.bind(adapter);
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query: SqlQuery) => {
      const characters = new Set<number>();
      // queryRaw calls performIO before it first waits, so calls at the same time do not mix.
      inner.performIO = async (q) => {
        const result = await performIO(q);
        result.fields.forEach((field, i) => {
          if (field.dataTypeID !== CHAR) return;
          field.dataTypeID = TEXT;
          characters.add(i);
        });
        return result;
      };
      const result = await queryRaw(query);
      for (const i of characters) result.columnTypes[i] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  }
}
