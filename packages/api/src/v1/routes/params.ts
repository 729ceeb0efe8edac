import { Id } from "@rigmark/protocol";
import { ReportSlug, WorkspaceSlug } from "@rigmark/results";
import { z } from "zod";

export const InWorkspace = z.object({
  workspace: WorkspaceSlug.describe("The workspace's name in addresses."),
});
export const OfHost = z.object({ host: Id.describe("Id of a host.") });
export const OfRun = z.object({ run: Id.describe("Id of a run.") });
export const OfTrial = OfRun.extend({ trial: Id.describe("Id of a trial of the run.") });
export const OfReport = z.object({
  slug: ReportSlug.describe("The last part of the report's address."),
});
