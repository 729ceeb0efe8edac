import { Problem } from "@rigmark/results/public";
import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from "zod-openapi";
import { type Route, TAGS } from "./route";
import { ROUTES } from "./routes";

export type ApiDocument = ReturnType<typeof createDocument>;

const made = new Map<string, ApiDocument>();

/** The OpenAPI document of the public API at this origin. Made once from the routes and their schemas. */
export function document(publicUrl: string): ApiDocument {
  const known = made.get(publicUrl);
  if (known) return known;
  const fresh = make(publicUrl);
  made.set(publicUrl, fresh);
  return fresh;
}

function make(publicUrl: string): ApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of ROUTES) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, { [route.method.toLowerCase()]: operation(route) });
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Rigmark",
      version: "1",
      summary: "Queue benchmark runs, wait for them, and read their results.",
      description: `How to use it, with examples: ${publicUrl}/docs/api`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: `${publicUrl}/api/v1` }],
    tags: TAGS.filter((tag) => ROUTES.some((route) => route.tag === tag)).map((name) => ({ name })),
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "A token of a person or of a workspace: `rgm_` and 43 more characters.",
        },
      },
    },
    paths,
  });
}

const IDEMPOTENCY = z.object({
  "Idempotency-Key": z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("A request repeated with the same key within 24 hours happens once, with the same response."),
});

function operation(route: Route): ZodOpenApiOperationObject {
  const { params, query, body, bytes, scope } = route;
  const header = route.headers ?? (route.method === "POST" && scope !== null ? IDEMPOTENCY : undefined);
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scope && `Needs the scope \`${scope}\`.`].filter(Boolean).join(" "),
    ...(scope === null ? { security: [] } : {}),
    ...(params || query || header
      ? {
          requestParams: {
            ...(params ? { path: params } : {}),
            ...(query ? { query } : {}),
            ...(header ? { header } : {}),
          },
        }
      : {}),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
    ...(bytes
      ? {
          requestBody: {
            required: true,
            content: { [bytes]: { schema: { type: "string", format: "binary" } } },
          },
        }
      : {}),
    responses: responses(route),
  };
}

function responses(route: Route): ZodOpenApiResponsesObject {
  const ok: ZodOpenApiResponsesObject = {
    [`${route.status}`]: route.response
      ? { description: route.summary, content: { "application/json": { schema: route.response } } }
      : { description: "Done." },
  };
  for (const [status, schema] of Object.entries(route.also ?? {}))
    ok[status as "202"] = { description: "Not yet.", content: { "application/json": { schema } } };
  if (route.method === "GET") ok["304"] = { description: "The caller is up to date (`If-None-Match`)." };
  ok.default = {
    description: "What went wrong.",
    content: { "application/problem+json": { schema: Problem } },
  };
  return ok;
}
