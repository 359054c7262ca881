import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** True for a loopback address or `localhost`. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return address === "localhost" || (family !== 0 && loopback.check(address, family === 4 ? "ipv4" : "ipv6"));
}
