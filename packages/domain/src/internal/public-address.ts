import { isIP } from "node:net";
import { type Networks, parseNetworks, plainAddress } from "../networks";

/** Private, shared, loopback, link-local, documentation, multicast and reserved networks (RFC 6890). */
const RESERVED = known(
  [
    ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
    ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"],
    ...["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
    // Within the global ones: special uses, and tunnels that hold an IPv4 address.
    ...["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
  ].join(),
);
const GLOBAL_IPV6 = known("2000::/3");

function known(text: string): Networks {
  const networks = parseNetworks(text);
  if (!networks) throw new Error(`${text} cannot be read as networks.`);
  return networks;
}

/** Anybody on the internet can reach it; what cannot be read is not public. */
export function isPublicAddress(text: string): boolean {
  const address = plainAddress(text);
  if (address === null) return false;
  return (isIP(address) === 4 || GLOBAL_IPV6.has(address)) && !RESERVED.has(address);
}
