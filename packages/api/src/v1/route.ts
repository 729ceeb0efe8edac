import type { Ctx } from "@rigmark/domain";
import type { Scope } from "@rigmark/results";
import type { z } from "zod";

type Shape = z.ZodObject;
type Of<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface RouteCall<Params, Query, Body, Head = undefined> {
  ctx: Ctx;
  params: Of<Params>;
  query: Of<Query>;
  body: Of<Body>;
  headers: Of<Head>;
  /** Of a route with `bytes`; empty for others. */
  bytes: Uint8Array;
  /** Address of whoever asks; null when unknown. */
  address: string | null;
}

/** One thing that the public API does. It validates, calls one verb, returns; the verb decides who may. */
export interface Route<
  Params extends Shape | undefined = Shape | undefined,
  Query extends Shape | undefined = Shape | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Head extends Shape | undefined = Shape | undefined,
> {
  /** Its `operationId`; clients are generated with it, so it stays. */
  name: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/api/v1`, with `{names}` of the parameters. */
  path: string;
  tag: Tag;
  /** What the token needs; null: no token is asked for. */
  scope: Scope | null;
  summary: string;
  description?: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Bytes of a body; 128 KiB without it. */
  bodyBytes?: number;
  /** Headers of its own, in small letters. */
  headers?: Head;
  /** The body is no JSON but bytes, of this type and at most `bodyBytes`. */
  bytes?: string;
  status: 200 | 201 | 202 | 204;
  /** What is sent with `status`; null: no body. */
  response: z.ZodType | null;
  /** Other responses that are no errors, by status. */
  also?: Partial<Record<200 | 202, z.ZodType>>;
  /** A `Reply` where the status is another one than the route's. */
  handle(asked: RouteCall<Params, Query, Body, Head>): Promise<unknown>;
}

export const TAGS = ["Token", "Hosts", "Runs", "Results", "Reports", "Publications", "Sign-in"] as const;
export type Tag = (typeof TAGS)[number];

/** A body with a status of its own. */
export class Reply {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {}
}

/** Types the handler by the schemas beside it. */
export const route = <
  Params extends Shape | undefined = undefined,
  Query extends Shape | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Head extends Shape | undefined = undefined,
>(
  given: Route<Params, Query, Body, Head>,
): Route => given as unknown as Route;
