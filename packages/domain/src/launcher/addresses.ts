// cspell:ignore veth virbr vmnet vboxnet lxdbr
import { createSocket } from "node:dgram";
import { BlockList } from "node:net";
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import type { OwnAddress } from "@rigmark/results/network";

/** RFC 1918, and RFC 6598, which some VPNs use. */
const PRIVATE = new BlockList();
PRIVATE.addSubnet("10.0.0.0", 8);
PRIVATE.addSubnet("172.16.0.0", 12);
PRIVATE.addSubnet("192.168.0.0", 16);
PRIVATE.addSubnet("100.64.0.0", 10);

/** Networks between this machine and its own containers and virtual machines. */
const INSIDE = /^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxdbr|cni|flannel|cali|podman)/;

/** The private IPv4 addresses of this machine, those of networks inside it last. */
export function privateAddresses(
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): OwnAddress[] {
  const found = Object.entries(interfaces).flatMap(([name, of]) =>
    (of ?? [])
      .filter(({ family, internal, address }) => family === "IPv4" && !internal && PRIVATE.check(address))
      .map(({ address }) => ({ address, interface: name })),
  );
  return [
    ...found.filter((a) => !INSIDE.test(a.interface)),
    ...found.filter((a) => INSIDE.test(a.interface)),
  ];
}

/** The same, and first the one that the machine uses towards everybody else. */
export async function ownAddresses(): Promise<OwnAddress[]> {
  const found = privateAddresses();
  const outward = await outwardAddress();
  return [...found.filter((a) => a.address === outward), ...found.filter((a) => a.address !== outward)];
}

/** Nothing is sent: to connect a UDP socket only asks the kernel's routes. The address is for documentation (RFC 5737). */
function outwardAddress(): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => {
      socket.close();
      resolve(null);
    });
    socket.once("connect", () => {
      const { address } = socket.address();
      socket.close();
      resolve(address);
    });
    socket.connect(9, "192.0.2.1");
  });
}
