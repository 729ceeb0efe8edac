import {
  createWebhook,
  deleteWebhook,
  getAlerts,
  listAlerts,
  setAlertMail,
  testAlertMail,
  testWebhook,
} from "@rigmark/domain";
import { AlertList, AlertSettings, Nothing, WebhookCreated, WebhookUrl } from "@rigmark/results";
import { z } from "zod";
import { InWorkspace, OfWebhook } from "../input";
import { procedure, router } from "../trpc";

/** Who is told that something is slower. */
export const alert = router({
  get: procedure
    .input(InWorkspace)
    .output(AlertSettings)
    .query(({ ctx: { ctx }, input }) => getAlerts({ ctx, input })),
  /** What runs showed, whoever was told. */
  list: procedure
    .input(InWorkspace.extend({ limit: z.int().min(1).max(50).default(8) }))
    .output(AlertList)
    .query(({ ctx: { ctx }, input }) => listAlerts({ ctx, input })),
  /** Of the person who asks. */
  setMail: procedure
    .input(InWorkspace.extend({ on: z.boolean() }))
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => setAlertMail({ ctx, input })),
  testMail: procedure
    .input(InWorkspace)
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => testAlertMail({ ctx, input })),
  createWebhook: procedure
    .input(InWorkspace.extend({ url: WebhookUrl }))
    .output(WebhookCreated)
    .mutation(({ ctx: { ctx }, input }) => createWebhook({ ctx, input })),
  testWebhook: procedure
    .input(OfWebhook)
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => testWebhook({ ctx, input })),
  deleteWebhook: procedure
    .input(OfWebhook)
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => deleteWebhook({ ctx, input })),
});
