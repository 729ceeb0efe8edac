import { describe, expect, it } from "vitest";
import { clientOf, countedAs, isNetworks, parseNetworks, plainAddress } from "../src/networks";

const trusting = (text: string) => {
  const networks = parseNetworks(text);
  if (!networks) throw new Error(`${text} is refused`);
  return networks;
};

describe("networks", () => {
  it.each([
    ["", "10.0.0.1", false],
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.7/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    ["192.0.2.7", "192.0.2.7", true],
    ["192.0.2.7", "192.0.2.8", false],
    [" 127.0.0.1 , fd00::/8 ", "fd12::1", true],
    ["fd00::/8", "fe80::1", false],
    ["::1", "::1", true],
    ["::ffff:10.0.0.0/104", "10.9.9.9", true],
    ["::ffff:10.0.0.0/104", "11.9.9.9", false],
  ])("%j holds %s: %s", (text, address, holds) => {
    expect(trusting(text).has(address)).toBe(holds);
  });

  it.each([
    "1",
    "0",
    "all",
    "loopback",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0/8",
    "0.0.0.0/0",
    "::/0",
    "::/129",
    "[::1]",
    "10.0.0.1:80",
    "10.0.0.0/8;10.1.0.0/16",
    "example.org",
  ])("%j is refused", (text) => {
    expect(isNetworks(text)).toBe(false);
  });
});

describe("an address", () => {
  it.each([
    ["10.0.0.1", "10.0.0.1"],
    [" 10.0.0.1:4711 ", "10.0.0.1"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["::FFFF:0a00:0001", "10.0.0.1"],
    ["[2001:DB8:0:0::1]:443", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["unknown", null],
    ["", null],
    ["10.0.0.256", null],
    ["_hidden", null],
    ["1.2.3.4, 5.6.7.8", null],
    ["<script>", null],
  ])("%j is written %s", (text, plain) => {
    expect(plainAddress(text)).toBe(plain);
  });
});

describe("whoever asks", () => {
  it.each([
    // Nobody is trusted: the header counts for nothing.
    ["", "203.0.113.9", "6.6.6.6", "203.0.113.9"],
    // The peer is no proxy of ours: it wrote the header itself.
    ["10.0.0.0/8", "203.0.113.9", "6.6.6.6", "203.0.113.9"],
    // One proxy; what stands further left was there before it.
    ["10.0.0.0/8", "10.0.0.1", "6.6.6.6, 198.51.100.4", "198.51.100.4"],
    // Two proxies.
    ["10.0.0.0/8", "10.0.0.1", "6.6.6.6, 198.51.100.4, 10.0.0.2", "198.51.100.4"],
    // A number of proxies would have taken what the client wrote here.
    ["10.0.0.0/8", "10.0.0.1", "6.6.6.6, 7.7.7.7, 198.51.100.4", "198.51.100.4"],
    ["10.0.0.0/8", "::ffff:10.0.0.1", "198.51.100.4", "198.51.100.4"],
    ["10.0.0.0/8", "10.0.0.1", "::ffff:198.51.100.4", "198.51.100.4"],
    ["fd00::/8", "fd00::1", "6.6.6.6, 2001:DB8::7", "2001:db8::7"],
    ["fd00::/8, 10.0.0.0/8", "fd00::1", "2001:db8::7, 10.1.1.1", "2001:db8::7"],
    // Somebody inside our own networks.
    ["10.0.0.0/8", "10.0.0.1", "10.0.0.9", "10.0.0.9"],
    // Garbage: the last proxy that is known stands for them.
    ["10.0.0.0/8", "10.0.0.1", "6.6.6.6, unknown", "10.0.0.1"],
    ["10.0.0.0/8", "10.0.0.1", "6.6.6.6, unknown, 10.0.0.2", "10.0.0.2"],
    ["10.0.0.0/8", "10.0.0.1", ",,,", "10.0.0.1"],
    ["10.0.0.0/8", "10.0.0.1", null, "10.0.0.1"],
    ["10.0.0.0/8", null, "6.6.6.6", null],
  ])("trusting %j, from %s, saying %j: %s", (trusted, peer, said, client) => {
    expect(clientOf(peer, said, trusting(trusted))).toBe(client);
  });
});

describe("tries", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["unknown", "unknown"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("of %s are counted as %s", (address, counted) => {
    expect(countedAs(address)).toBe(counted);
  });
});
