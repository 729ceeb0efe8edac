import { PROBLEMS } from "@rigmark/results/public";
import { Fragment } from "react";
import type { Component, Field, Operation, Reference, TypePart } from "@/docs/reference";
import { Anchor } from "../ui/anchor";
import { Box, TO_HERE } from "./doc-body";

/** Everything that the API's document says, as a page of the docs. It is in English, as the docs are. */
export function ApiReference({ reference }: { reference: Reference }) {
  const known = new Set(reference.schemas.map((schema) => schema.name));
  return (
    <article className="doc mt-3" lang="en">
      <h2 id="errors">Errors</h2>
      <Box label="Errors">
        <table>
          <thead>
            <tr>
              <th>Code</th>
              <th>Status</th>
              <th>What it means</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(PROBLEMS).map(([code, [status, title]]) => (
              <tr key={code} id={code}>
                <td>
                  <code>{code}</code>
                </td>
                <td>{status}</td>
                <td>{title}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
      {reference.parts.map((part) => (
        <Fragment key={part.name}>
          <h2 id={anchorOfPart(part.name)}>{part.name}</h2>
          {part.operations.map((operation) => (
            <OperationPart key={operation.id} operation={operation} known={known} />
          ))}
        </Fragment>
      ))}
      <h2 id="schemas">Schemas</h2>
      {reference.schemas.map((schema) => (
        <SchemaPart key={schema.name} schema={schema} known={known} />
      ))}
    </article>
  );
}

export const anchorOfPart = (name: string): string => `part-${name.toLowerCase()}`;
const anchorOfSchema = (name: string): string => `schema-${name}`;

function OperationPart({ operation, known }: { operation: Operation; known: ReadonlySet<string> }) {
  const { parameters, body, responses } = operation;
  return (
    <>
      <h3 id={operation.id}>
        {operation.summary}
        <Anchor href={`#${operation.id}`} label={TO_HERE} />
      </h3>
      <p>
        <code>
          {operation.method} /api/v1{operation.path}
        </code>
      </p>
      {operation.description && <p>{ticked(operation.description)}</p>}
      {parameters.length > 0 && (
        <Fields
          fields={parameters}
          known={known}
          label={`Parameters: ${operation.summary}`}
          head="Parameter"
        />
      )}
      <ul>
        {body && (
          <li>
            Body: <Type parts={body} known={known} />
          </li>
        )}
        {responses.map(({ status, description, type }) => (
          <li key={status}>
            {status === "default" ? "Otherwise" : status}:{" "}
            {type ? <Type parts={type} known={known} /> : ticked(description)}
          </li>
        ))}
      </ul>
    </>
  );
}

function SchemaPart({ schema, known }: { schema: Component; known: ReadonlySet<string> }) {
  return (
    <>
      <h3 id={anchorOfSchema(schema.name)}>{schema.name}</h3>
      {schema.description && <p>{ticked(schema.description)}</p>}
      <Fields fields={schema.fields} known={known} label={schema.name} head="Field" />
    </>
  );
}

interface FieldsProps {
  fields: readonly Field[];
  known: ReadonlySet<string>;
  label: string;
  head: string;
}

const Fields = ({ fields, known, label, head }: FieldsProps) => (
  <Box label={label}>
    <table>
      <thead>
        <tr>
          <th>{head}</th>
          <th>Type</th>
          <th>What it is</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name}>
            <td>
              <code>{field.name}</code>
              {!field.required && <span className="text-ink-3"> optional</span>}
            </td>
            <td>
              <Type parts={field.type} known={known} />
            </td>
            <td>{ticked(field.description)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Box>
);

const Type = ({ parts, known }: { parts: readonly TypePart[]; known: ReadonlySet<string> }) => (
  <>
    {parts.map((part, place) =>
      "text" in part ? (
        <Fragment key={place}>{part.text}</Fragment>
      ) : known.has(part.schema) ? (
        <a key={place} href={`#${anchorOfSchema(part.schema)}`}>
          {part.schema}
        </a>
      ) : (
        <Fragment key={place}>{part.schema}</Fragment>
      ),
    )}
  </>
);

/** What stands between backticks is code. */
const ticked = (text: string) =>
  text.split("`").map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part));
