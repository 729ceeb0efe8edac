import type { ResultColumn } from "@rigmark/db/testing";
import ts from "typescript";

/** A property of a row type. */
export interface Declared {
  name: string;
  optional: boolean;
  nullable: boolean;
  /** `string`, `number`, `boolean`, `Date`, `bytes`, `object` or `any`; of an array with `[]`. */
  kinds: string[];
}

export function declaredRow(node: ts.TypeNode, checker: ts.TypeChecker): Declared[] {
  return checker.getPropertiesOfType(checker.getTypeFromTypeNode(node)).map((property) => {
    const parts = partsOf(checker.getTypeOfSymbolAtLocation(property, node));
    return {
      name: property.name,
      optional: (property.flags & ts.SymbolFlags.Optional) !== 0,
      nullable: parts.some((part) => (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Any)) !== 0),
      kinds: [...new Set(parts.filter(isValue).map((part) => kindOf(part, checker)))],
    };
  });
}

const partsOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type]);
const isValue = (type: ts.Type): boolean => (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) === 0;

function kindOf(type: ts.Type, checker: ts.TypeChecker): string {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return "any";
  if (type.flags & ts.TypeFlags.StringLike) return "string";
  if (type.flags & ts.TypeFlags.NumberLike) return "number";
  if (type.flags & ts.TypeFlags.BooleanLike) return "boolean";
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    const kinds = element
      ? partsOf(element)
          .filter(isValue)
          .map((part) => kindOf(part, checker))
      : [];
    return `${[...new Set(kinds)].join("|")}[]`;
  }
  const name = type.getSymbol()?.name ?? "";
  if (name === "Date") return "Date";
  return name === "Buffer" || name === "Uint8Array" ? "bytes" : "object";
}

/** What `pg` makes of PostgreSQL's types, with 64-bit integers as numbers (packages/db). Null: JSON, which may be anything. */
function kindFrom(type: string): string | null {
  if (type.startsWith("_")) return `${kindFrom(type.slice(1))}[]`;
  if (/^(int2|int4|int8|float4|float8)$/.test(type)) return "number";
  if (type === "timestamptz") return "Date";
  if (type === "bool") return "boolean";
  if (type === "bytea") return "bytes";
  return /^jsonb?$/.test(type) ? null : "string";
}

/** Prisma cannot say of an array that it is never null, so PostgreSQL does not know it. */
const mayBeNull = ({ nullable, type }: ResultColumn): boolean => nullable && !type.startsWith("_");

/**
 * What the declared row says otherwise than the statement's columns; empty when they agree. `whole`: the statement
 * selects whole rows, and may declare of them what it needs.
 */
export function disagreements(
  row: readonly Declared[],
  columns: readonly ResultColumn[],
  whole = false,
): string[] {
  const declared = new Map(row.map((property) => [property.name, property]));
  const found = new Set(columns.map((column) => column.name));
  const missing = row.filter(({ name, optional }) => !optional && !found.has(name));
  return [
    ...missing.map(({ name }) => `declares ${name}, which is not selected`),
    ...columns.flatMap((column) => {
      const property = declared.get(column.name);
      if (!property) return whole ? [] : [`selects ${column.name}, which is not declared`];
      const kind = kindFrom(column.type);
      const wrong = property.kinds.filter((each) => each !== "any" && kind !== null && each !== kind);
      return [
        ...wrong.map((each) => `declares ${column.name} as ${each}, but it is ${column.type}`),
        ...(mayBeNull(column) && !property.nullable
          ? [`declares ${column.name} without null, but it may be null`]
          : []),
      ];
    }),
  ];
}
