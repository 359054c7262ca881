import { Address4, Address6 } from "ip-address";

/**
 * The network of an access entry: an address becomes its /32 or /128, host bits are masked. Undefined for other texts,
 * for addresses with a zone, which names an interface of one machine, and for lengths that begin with a zero.
 */
export function canonicalNetwork(source: string): string | undefined {
  const Address = source.includes(":") ? Address6 : Address4;
  if (/%|\/0\d/.test(source) || !Address.isValid(source)) return undefined;
  const network = new Address(source);
  return `${network.startAddress().correctForm()}/${network.subnetMask}`;
}
