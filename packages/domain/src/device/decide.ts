import { run, sql } from "@rigmark/db";
import type { DeviceView, Scope, TokenDays } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { topics } from "../internal/bus";
import { findDevice } from "./internal/find";

interface Approval {
  userCode: string;
  /** The one workspace that the token will work in; null: all of the person's. */
  workspace: string | null;
  scopes: readonly Scope[];
  days: TokenDays;
}

const TOO_LATE =
  "This sign-in was already approved or denied, or it expired after ten minutes. Start again in the terminal.";

/** The program gets a token of the person when it asks the next time. Works once. */
export async function approveDevice({ ctx, input }: Call<Approval>): Promise<DeviceView> {
  const { userId } = requirePerson(ctx);
  await findDevice(ctx, userId, input.userCode);
  const inside = input.workspace === null ? null : await enterWorkspace(ctx, input.workspace, "read");
  const now = ctx.now();
  const approved = await run(
    ctx.db,
    sql`UPDATE device_login SET state = 'approved', decided_at = ${now}, user_id = ${userId},
          workspace_id = ${inside?.workspaceId ?? null}, scopes = ${input.scopes}, token_days = ${input.days}
        WHERE user_code = ${input.userCode} AND state = 'pending' AND expires_at > ${now}`,
  );
  if (approved === 0) throw new DomainError("state", TOO_LATE);
  ctx.bus.hint(topics.device(input.userCode));
  return findDevice(ctx, userId, input.userCode);
}

/** The program is told so, and gets nothing. */
export async function denyDevice({ ctx, input }: Call<{ userCode: string }>): Promise<DeviceView> {
  const { userId } = requirePerson(ctx);
  await findDevice(ctx, userId, input.userCode);
  const now = ctx.now();
  const denied = await run(
    ctx.db,
    sql`UPDATE device_login SET state = 'denied', decided_at = ${now}, user_id = ${userId}
        WHERE user_code = ${input.userCode} AND state = 'pending' AND expires_at > ${now}`,
  );
  if (denied === 0) throw new DomainError("state", TOO_LATE);
  ctx.bus.hint(topics.device(input.userCode));
  return findDevice(ctx, userId, input.userCode);
}
