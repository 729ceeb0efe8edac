import { z } from "zod";
import { Name } from "./scalar";

/** Name of a header, in lower case. */
const HeaderName = z.string().regex(/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/);
/** Printable ASCII. */
const HeaderValue = z.string().regex(/^[ -~]{0,1000}$/);
const Headers = z.record(HeaderName, HeaderValue).refine((h) => Object.keys(h).length <= 32, {
  message: "at most 32 headers",
});
/** RFC 6901; in `same_but_for` a part `*` stands for every item or key. */
const JsonPointer = z.string().regex(/^\/.{0,199}$/s);

/**
 * What is right for one request. What is absent is not looked at; without a status it is any from 200 to 299, because load
 * tools count every other one as a failure.
 */
export const Expectation = z.strictObject({
  status: z.int().min(200).max(299).optional(),
  headers: Headers.optional(),
  body_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  json: z
    .record(JsonPointer, z.union([z.string().max(2000), z.number(), z.boolean()]))
    .refine((j) => Object.keys(j).length <= 50, { message: "at most 50 values" })
    .optional(),
});

/** A request of a scenario file. Sent in proportion to its weight. */
export const HttpRequest = z.strictObject({
  weight: z.int().min(1).max(1000),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z.string().regex(/^\/[!-~]{0,999}$/),
  headers: Headers.optional(),
  /** A body that is text. */
  body: z
    .string()
    .max(256 * 1024)
    .optional(),
  /** One that is not. */
  body_base64: z
    .string()
    .max(256 * 1024)
    .optional(),
  /** Without it, what the baseline answers is right. */
  expect: Expectation.optional(),
});

/**
 * The whole load of a scenario file, so that a reader can repeat it. It travels in a plan, which is one record: the agent
 * refuses files whose load takes more than 128 KiB.
 */
export const HttpLoad = z.strictObject({
  requests: z.array(HttpRequest).min(1).max(64),
  /** In what the entries' responses may differ, where the baseline's are what is right. */
  same_but_for: z
    .strictObject({
      headers: z.array(HeaderName).max(50).optional(),
      fields: z.array(JsonPointer).max(50).optional(),
    })
    .optional(),
  /** A k6 script that makes the load; the requests are then what the entries are checked with. */
  script: z.strictObject({ name: Name, text: z.string().max(256 * 1024) }).optional(),
});

export type Expectation = z.infer<typeof Expectation>;
export type HttpRequest = z.infer<typeof HttpRequest>;
export type HttpLoad = z.infer<typeof HttpLoad>;
