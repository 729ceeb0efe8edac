import type { ApiDocument } from "@rigmark/api/v1";

/** The part of JSON Schema that the API's document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
  default?: unknown;
}

/** Words of a type, with names of schemas that have a place of their own. */
export type TypePart = { text: string } | { schema: string };

export interface Field {
  name: string;
  type: TypePart[];
  required: boolean;
  description: string;
}
export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: Field[];
  body: TypePart[] | null;
  responses: { status: string; description: string; type: TypePart[] | null }[];
}
export interface Part {
  name: string;
  operations: Operation[];
}
export interface Component {
  name: string;
  description: string;
  fields: Field[];
}
export interface Reference {
  parts: Part[];
  schemas: Component[];
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
  description?: string;
}
interface RawOperation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: Content;
  responses?: Record<string, Content>;
}

/** What the page about the API shows of its document. */
export function referenceOf(document: ApiDocument): Reference {
  const paths = (document.paths ?? {}) as Record<string, Record<string, RawOperation>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const parts = (document.tags ?? []).map(({ name }) => ({
    name,
    operations: operations
      .filter(({ operation }) => operation.tags?.includes(name))
      .map(({ path, method, operation }) => operationOf(path, method, operation)),
  }));
  const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>)
    .filter(([name, schema]) => schema.properties && baseName(name) === name)
    .map(([name, schema]) => ({
      name,
      description: schema.description ?? "",
      fields: fieldsOf(schema),
    }));
  return { parts, schemas };
}

function operationOf(path: string, method: string, operation: RawOperation): Operation {
  return {
    id: operation.operationId ?? `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? "",
    description: operation.description ?? "",
    parameters: (operation.parameters ?? []).map(({ name, required, description, schema }) => ({
      name,
      type: typeOf(schema ?? {}),
      required: required ?? false,
      description: description ?? schema?.description ?? "",
    })),
    body: contentOf(operation.requestBody),
    responses: Object.entries(operation.responses ?? {}).map(([status, response]) => ({
      status,
      description: response.description ?? "",
      type: contentOf(response),
    })),
  };
}

function contentOf(of: Content | undefined): TypePart[] | null {
  const [schema] = Object.values(of?.content ?? {}).map((media) => media.schema);
  return schema ? typeOf(schema) : null;
}

/** A schema with defaults stands twice in the document; what is sent always has all fields. The page has it once. */
const baseName = (name: string): string => name.replace(/Output$/, "");

const DEPTH = 3;

/** Fields of an object; those of nested ones follow with their path, `host.id`, and of lists with `[]`. */
function fieldsOf(schema: Schema, prefix = "", depth = DEPTH): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const own: Field = {
      name,
      type: typeOf(property),
      required: schema.required?.includes(key) ?? false,
      description: property.description ?? "",
    };
    const inner = objectIn(property);
    return [own, ...(inner && depth > 1 ? fieldsOf(inner.schema, `${name}${inner.sign}.`, depth - 1) : [])];
  });
}

/** The object that stands in a property itself, not behind a name. */
function objectIn(schema: Schema): { schema: Schema; sign: string } | null {
  if (schema.properties) return { schema, sign: "" };
  if (schema.items) {
    const inner = objectIn(schema.items);
    return inner && { ...inner, sign: `[]${inner.sign}` };
  }
  const [only, ...others] = (schema.anyOf ?? []).filter((one) => one.type !== "null");
  return only && others.length === 0 ? objectIn(only) : null;
}

/** `list of Run`, `integer, 1 to 100`, `"faster" or "slower" or null`. */
export function typeOf(schema: Schema): TypePart[] {
  if (schema.$ref) return [{ schema: baseName(schema.$ref.split("/").at(-1) ?? "") }];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return joined(choices.map(typeOf), " or ");
  if (schema.allOf) return joined(schema.allOf.map(typeOf), " and ");
  if (schema.const !== undefined) return [{ text: JSON.stringify(schema.const) }];
  if (schema.enum) return [{ text: schema.enum.map((value) => JSON.stringify(value)).join(" or ") }];
  if (schema.type === "array") return [{ text: "list of " }, ...typeOf(schema.items ?? {})];
  const name = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "any value");
  const range = rangeOf(schema);
  return [{ text: [name, schema.format, range].filter(Boolean).join(", ") }];
}

/** What only keeps a number within its type is no bound that anybody meets. */
const isBound = (n: number | undefined): n is number => n !== undefined && Math.abs(n) < 2 ** 31 - 1;

function rangeOf({ minimum, maximum, maxLength }: Schema): string | null {
  if (isBound(minimum) && isBound(maximum)) return `${minimum} to ${maximum}`;
  if (isBound(minimum)) return `at least ${minimum}`;
  if (isBound(maximum)) return `at most ${maximum}`;
  return maxLength === undefined ? null : `at most ${maxLength} characters`;
}

const joined = (lists: TypePart[][], between: string): TypePart[] =>
  lists.flatMap((list, i) => (i === 0 ? list : [{ text: between }, ...list]));
