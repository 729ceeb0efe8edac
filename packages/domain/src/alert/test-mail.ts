import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace, requirePerson } from "../internal/access";
import { putTest } from "./internal/put-test";

/** Sends a test to the person who asks. */
export async function testAlertMail({ ctx, input }: Call<{ workspace: string }>): Promise<Nothing> {
  const { userId } = requirePerson(ctx);
  const access = await enterWorkspace(ctx, input.workspace, "read");
  await putTest(ctx, access, { webhook_id: null, user_id: userId });
  return { ok: true };
}
