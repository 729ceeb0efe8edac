import { collectDevice, startDevice } from "@rigmark/domain";
import {
  DeviceCodes,
  DevicePending,
  DeviceRequest,
  DeviceToken,
  DeviceTokenRequest,
} from "@rigmark/results/public";
import { Reply, route } from "../route";

export const device = [
  route({
    name: "startDevice",
    method: "POST",
    path: "/device",
    tag: "Sign-in",
    scope: null,
    summary: "Begin a sign-in with a browser",
    description:
      "Show `user_code` and `verification_url` to the person. Meanwhile, ask for the token every `interval_s` seconds.",
    body: DeviceRequest,
    status: 200,
    response: DeviceCodes,
    handle: ({ ctx, body, address }) => startDevice({ ctx, input: { client: body.client, address } }),
  }),
  route({
    name: "collectDeviceToken",
    method: "POST",
    path: "/device/token",
    tag: "Sign-in",
    scope: null,
    summary: "Collect the token",
    description:
      "202 until the person decides; 200 with the token, once; 410 if the sign-in was denied or has expired, or the token was already collected.",
    body: DeviceTokenRequest,
    status: 200,
    response: DeviceToken,
    also: { 202: DevicePending },
    handle: async ({ ctx, body, address }) =>
      (await collectDevice({ ctx, input: { deviceCode: body.device_code, address } })) ??
      new Reply(202, { status: "pending" }),
  }),
];
