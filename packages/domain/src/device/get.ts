import type { DeviceView } from "@rigmark/results";
import type { Call } from "../context";
import { requirePerson } from "../internal/access";
import { findDevice } from "./internal/find";

/** Which program waits with this code, for the person who may approve it. */
export async function getDevice({ ctx, input }: Call<{ userCode: string }>): Promise<DeviceView> {
  const { userId } = requirePerson(ctx);
  return findDevice(ctx, userId, input.userCode);
}
