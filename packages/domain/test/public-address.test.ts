import { expect, it } from "vitest";
import { isPublicAddress } from "../src/internal/public-address";

it("what only this machine or this network reaches is not public, however it is written", () => {
  const refused = [
    ...["127.0.0.1", "127.1.2.3", "0.0.0.0", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254"],
    ...["100.64.0.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "255.255.255.255"],
    ...["::1", "::", "fe80::1", "fd00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:a00:1", "64:ff9b::7f00:1"],
    ...["2002:7f00:1::", "2001:0:1::", "2001:db8::1", "localhost", ""],
  ];
  expect(refused.filter(isPublicAddress)).toEqual([]);
  const open = ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"];
  expect(open.filter(isPublicAddress)).toEqual(open);
});
