/** Groups network addresses that belong to one customer of a provider. */
import ipaddr from 'ipaddr.js';

/** Returns an IPv4 address unchanged, and for an IPv6 address its /64, which belongs to one customer (RFC 6177, 2). */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
