import { run, sql } from "@rigmark/db";
import type { Call } from "../context";
import { DomainError } from "../error";
import { countInWindow } from "../internal/count";
import { later } from "../internal/moment";
import { hashSecret, newSecret } from "../internal/secret";
import { printable, storable } from "../internal/text";
import { countedAs } from "../networks";
import { newUserCode } from "./internal/user-code";

/** How long an approval is waited for. */
const VALID_S = 600;
const POLL_S = 5;
const WINDOW_S = 300;
/** From one address, in five minutes. */
const MOST = 20;
const TRIES = 5;

export interface DeviceStarted {
  device_code: string;
  user_code: string;
  verification_url: string;
  interval_s: number;
  expires_in_s: number;
}

/** A program asks to be approved by a person. It keeps the device code; the person gets the other one. */
export async function startDevice({
  ctx,
  input,
}: Call<{ client: string; address: string | null }>): Promise<DeviceStarted> {
  const now = ctx.now();
  const counted = await countInWindow(
    ctx.db,
    `device|${countedAs(input.address ?? "unknown")}`,
    WINDOW_S,
    now,
  );
  if (counted.count > MOST)
    throw new DomainError(
      "rate_limited",
      "There were too many sign-ins from your address; wait five minutes.",
      { retry_after_s: counted.ends_in_s },
    );
  await ctx.db.prisma.deviceLogin.deleteMany({ where: { expires_at: { lt: later(now, -VALID_S) } } });
  const deviceCode = newSecret("rgmd_");
  const client = printable(storable(input.client)) || "a program";
  for (let tries = 0; tries < TRIES; tries += 1) {
    const userCode = newUserCode();
    const made = await run(
      ctx.db,
      sql`INSERT INTO device_login (device_hash, user_code, client, address, created_at, expires_at)
          VALUES (${hashSecret(deviceCode)}, ${userCode}, ${client}, ${input.address}, ${now}, ${later(now, VALID_S)})
          ON CONFLICT (user_code) DO NOTHING`,
    );
    if (made > 0)
      return {
        device_code: deviceCode,
        user_code: userCode,
        verification_url: `${ctx.config.publicUrl}/device?code=${userCode}`,
        interval_s: POLL_S,
        expires_in_s: VALID_S,
      };
  }
  throw new DomainError("unavailable", "No free code was found; try again.");
}
