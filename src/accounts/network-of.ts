/** Groups network addresses by customer. */
import ipaddr from 'ipaddr.js';

/**
 * An IPv4 address, or the /64 of an IPv6 address: the block that a provider assigns to one customer (RFC
 * 6177, 2).
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
