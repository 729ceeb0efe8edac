import type { EnrollmentStatus } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace, stayInWorkspace } from "../internal/access";
import { topics } from "../internal/bus";
import { takeSeat } from "../internal/seats";
import { getEnrollment } from "./get-enrollment";

const POLL_MS = 2000;

/** The status at once and at each change. Ends when the key has expired, or when the new host is online. */
export async function* watchEnrollment(
  call: Call<{ workspace: string; enrollmentId: string }>,
): AsyncGenerator<EnrollmentStatus> {
  const { ctx, input } = call;
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageHosts");
  const leave = takeSeat(ctx, workspaceId);
  const waiter = ctx.bus.wait(topics.enrollment(input.enrollmentId));
  let said = "";
  try {
    while (!ctx.signal?.aborted) {
      await stayInWorkspace(ctx, input.workspace, "manageHosts");
      const status = await getEnrollment(call);
      const now = status.status === "used" ? `used ${status.host.status}` : status.status;
      const text = `${now} ${JSON.stringify(status.steps)}`;
      if (text !== said) yield status;
      said = text;
      if (now === "expired" || now === "used online") return;
      await waiter.until(POLL_MS, ctx.signal);
    }
  } finally {
    waiter.stop();
    leave();
  }
}
