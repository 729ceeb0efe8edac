import { Id, Source } from "@rigmark/protocol";
import { z } from "zod";
import { MOST_URL } from "../choices";
import { Moment, WorkspaceSlug } from "./scalar";

/** Something that a run showed. */
const AlertFinding = z.object({
  /** `slower`: the run's verdict; `change`: a change point in the history of the entry. */
  kind: z.enum(["slower", "change"]),
  verdict: z.enum(["faster", "slower"]),
  scenario: z.string(),
  scenario_title: z.string(),
  entry: z.string(),
  /** The entry that it is compared with; null: with its own figures from before. */
  relative_to: z.string().nullable(),
  /** For `slower` the ratio to that entry, for `change` the ratio after ÷ before. */
  ratio: z.number().nullable(),
  sentence: z.string(),
  /** The run, or the page of the history. */
  url: z.string(),
  /** Of a change: the first run after it. */
  first_run: z.object({ id: Id, url: z.string() }).nullable(),
});

/** What a webhook gets as its body. Fields are added, never removed. */
export const AlertMessage = z.object({
  type: z.enum(["alert", "test"]),
  id: Id,
  created_at: Moment,
  workspace: WorkspaceSlug,
  /** All of it in one line. */
  text: z.string(),
  run: z
    .object({ id: Id, title: z.string(), url: z.string(), host: z.string(), source: Source.nullable() })
    .nullable(),
  findings: z.array(AlertFinding),
  /** Findings that are not in the list, since it is long. */
  more: z.int(),
});

export const AlertList = z.object({
  /** Newest first. */
  alerts: z.array(AlertMessage),
});

export const WebhookUrl = z.string().trim().min(1).max(MOST_URL);

export const WebhookView = z.object({
  webhook_id: Id,
  /** For members who may not change it only the origin, since the rest may be a secret. */
  url: z.string(),
  created_by: z.string().nullable(),
  created_at: Moment,
});
export const WebhookCreated = z.object({
  /** What messages are signed with; shown once. */
  secret: z.string(),
  view: WebhookView,
});

export const AlertDelivery = z.object({
  delivery_id: Id,
  /** The origin of a webhook, or the address of a mail. */
  to: z.string(),
  test: z.boolean(),
  text: z.string(),
  run_id: Id.nullable(),
  state: z.enum(["waiting", "sent", "failed"]),
  tries: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  created_at: Moment,
  /** While it waits. */
  next_try_at: Moment.nullable(),
});

export const AlertSettings = z.object({
  /** Of the person who asks. */
  mail: z.object({ on: z.boolean(), address: z.string() }),
  webhooks: z.array(WebhookView),
  /** Whether the person may change webhooks. */
  may_change: z.boolean(),
  /** Newest first: to webhooks, and to the person. */
  deliveries: z.array(AlertDelivery),
});

export type AlertFinding = z.infer<typeof AlertFinding>;
export type AlertMessage = z.infer<typeof AlertMessage>;
export type AlertList = z.infer<typeof AlertList>;
export type WebhookView = z.infer<typeof WebhookView>;
export type WebhookCreated = z.infer<typeof WebhookCreated>;
export type AlertDelivery = z.infer<typeof AlertDelivery>;
export type AlertSettings = z.infer<typeof AlertSettings>;
