import { z } from "zod";
import { UserCode } from "../view/device";
import { Person } from "./me";
import { Address } from "./scalar";

export const DeviceRequest = z
  .strictObject({
    client: z
      .string()
      .trim()
      .min(1)
      .max(120)
      .describe("What the person is shown, such as `rigmark on HOSTNAME`."),
  })
  .meta({ id: "DeviceRequest" });

export const DeviceCodes = z
  .object({
    device_code: z.string().describe("For the program alone."),
    user_code: UserCode.describe("For the person."),
    verification_url: Address.describe("Where the person approves."),
    interval_s: z.int().describe("Seconds to wait between two requests for the token."),
    expires_in_s: z.int(),
  })
  .meta({ id: "DeviceCodes" });

export const DeviceTokenRequest = z
  .strictObject({ device_code: z.string().min(1).max(200) })
  .meta({ id: "DeviceTokenRequest" });

export const DeviceToken = z.object({ token: z.string(), person: Person }).meta({ id: "DeviceToken" });
export const DevicePending = z.object({ status: z.literal("pending") }).meta({ id: "DevicePending" });
