import { Id, Slug } from "@rigmark/protocol";
import { WorkspaceSlug } from "@rigmark/results";
import { z } from "zod";

/** The workspace always comes from the address, by its slug. */
export const InWorkspace = z.object({ workspace: WorkspaceSlug });
export const OfHost = InWorkspace.extend({ hostId: Id });
export const OfServer = InWorkspace.extend({ server: Slug });
export const OfRun = InWorkspace.extend({ runId: Id });
export const OfSchedule = InWorkspace.extend({ scheduleId: Id });
export const OfWebhook = InWorkspace.extend({ webhookId: Id });
export const OfEnrollment = InWorkspace.extend({ enrollmentId: Id });
