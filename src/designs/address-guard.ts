/** SSRF protection: which network addresses the service may connect to for a caller. */
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Every block that is not an ordinary public address: the blocks of the IANA IPv4 Special-Purpose Address Registry,
 * multicast, the reserved class E, and the address of Azure's host agent. Four of the blocks are globally reachable
 * according to the registry (AS112 twice, AMT, the 6to4 relay), but serve protocols, never photos.
 */
const specialIpv4 = [
  '0.0.0.0/8', // this host, this network, RFC 791
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // shared (carrier NAT, some clouds' metadata), RFC 6598
  '127.0.0.0/8', // loopback, RFC 1122
  '168.63.129.16/32', // Azure's host agent: a public address that responds only within Azure
  '169.254.0.0/16', // link-local (most clouds' metadata), RFC 3927
  '172.16.0.0/12', // private, RFC 1918
  '192.0.0.0/24', // protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.31.196.0/24', // AS112, RFC 7535
  '192.52.193.0/24', // AMT, RFC 7450
  '192.88.99.0/24', // 6to4 relay, RFC 7526
  '192.168.0.0/16', // private, RFC 1918
  '192.175.48.0/24', // AS112, RFC 7534
  '198.18.0.0/15', // benchmarking, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved and broadcast, RFC 1112
].map((cidr) => ipaddr.IPv4.parseCIDR(cidr));

/** The only block that IANA assigns as global unicast (RFC 4291, RFC 3587). */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * The blocks of the IANA IPv6 Special-Purpose Address Registry and the deprecated blocks. Those outside 2000::/3 are
 * redundant; they are listed so that this list can be compared with the registry line by line. Blocks that embed an
 * IPv4 address are refused completely, because the real target depends on routers that we do not know.
 */
const specialIpv6 = [
  '::/128', // unspecified, RFC 4291
  '::1/128', // loopback, RFC 4291
  '::/96', // IPv4-compatible, RFC 4291
  '::ffff:0:0/96', // IPv4-mapped, RFC 4291
  '::ffff:0:0:0/96', // IPv4-translated, RFC 2765
  '64:ff9b::/96', // NAT64, RFC 6052
  '64:ff9b:1::/48', // local NAT64, RFC 8215
  '100::/64', // discard only, RFC 6666
  '100:0:0:1::/64', // dummy prefix, RFC 9780
  '2001::/23', // protocol assignments, RFC 2928; the next seven lie inside
  '2001::/32', // Teredo, RFC 4380
  '2001:2::/48', // benchmarking, RFC 5180
  '2001:3::/32', // AMT, RFC 7450
  '2001:4:112::/48', // AS112, RFC 7535
  '2001:10::/28', // ORCHID, RFC 4843
  '2001:20::/28', // ORCHIDv2, RFC 7343
  '2001:30::/28', // drone identifiers, RFC 9374
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056
  '2620:4f:8000::/48', // AS112, RFC 7534
  '3ffe::/16', // 6bone, handed back, RFC 3701
  '3fff::/20', // documentation, RFC 9637
  '5f00::/16', // segment routing, RFC 9602
  'fc00::/7', // unique local (some clouds' metadata), RFC 4193
  'fe80::/10', // link-local, RFC 4291
  'fec0::/10', // site-local, RFC 3879
  'ff00::/8', // multicast, RFC 4291
].map((cidr) => ipaddr.IPv6.parseCIDR(cidr));

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** One entry of the allowlist; `port` null means every port. */
type AllowEntry =
  | { readonly host: string; readonly port: number | null }
  | { readonly cidr: readonly [Address, number]; readonly port: number | null };

export interface AddressGuard {
  /**
   * Whether the allowlist names this host; the host's addresses then need no check. `host` must be in the form that
   * WHATWG URL parsing returns.
   */
  admitsHost(host: string, port: number): boolean;
  /**
   * Whether this is a public address with an allowed port, or an address that the allowlist allows on this port. False
   * for text that is no IP address.
   */
  admitsAddress(address: string, port: number): boolean;
}

/**
 * `allow`: host, host:port, IP, IP:port, [IPv6]:port or CIDR. An entry without a port allows every port, since
 * operators know what else listens on their own hosts. An IPv4 entry does not allow IPv6 forms of the same address.
 * `ports`: allowed ports on public addresses. Throws an Error that names a malformed entry.
 */
export function createAddressGuard(config: {
  readonly allow: readonly string[];
  readonly ports: readonly number[];
}): AddressGuard {
  const entries = config.allow.map(parseEntry);
  const opens = (entry: AllowEntry, port: number) => entry.port === null || entry.port === port;
  return {
    admitsHost: (host, port) =>
      entries.some((entry) => 'host' in entry && entry.host === withoutRootDot(host) && opens(entry, port)),
    admitsAddress: (text, port) => {
      const address = parseAddress(text);
      if (address === null) return false;
      if (entries.some((entry) => 'cidr' in entry && isInside(address, entry.cidr) && opens(entry, port)))
        return true;
      return config.ports.includes(port) && isGlobalUnicast(address);
    },
  };
}

function isGlobalUnicast(address: Address): boolean {
  return address instanceof ipaddr.IPv4
    ? !specialIpv4.some((cidr) => address.match(cidr))
    : address.match(globalIpv6) && !specialIpv6.some((cidr) => address.match(cidr));
}

function isInside(address: Address, [base, bits]: readonly [Address, number]): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

function parseAddress(text: string): Address | null {
  // Only the strict form: `ipaddr.parse` alone would also accept 127.1 or 0x7f000001.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return isIPv6(text) ? ipaddr.IPv6.parse(text) : null;
}

function parseEntry(entry: string): AllowEntry {
  const malformed = new Error(
    `"${entry}" in the list of allowed URL targets must be a host, host:port, IP address or CIDR.`,
  );
  if (entry.includes('/')) {
    if (!ipaddr.isValidCIDR(entry)) throw malformed;
    return { cidr: ipaddr.parseCIDR(entry), port: null };
  }
  const bracketed = isIPv6(entry) ? `[${entry}]` : entry;
  const [, hostText = '', portText] = /^(\[[^\]]+\]|[^\s:@?#\\*[\]]+)(?::(\d{1,5}))?$/.exec(bracketed) ?? [];
  const port = portText === undefined ? null : Number(portText);
  const parsed = URL.parse(`http://${hostText}/`);
  if (parsed === null || (port !== null && (port < 1 || port > 65_535))) throw malformed;
  const address = parseAddress(parsed.hostname.replace(/^\[|\]$/g, ''));
  if (address === null) return { host: withoutRootDot(parsed.hostname), port };
  return { cidr: [address, address instanceof ipaddr.IPv4 ? 32 : 128], port };
}

/** `example.com.` and `example.com` name the same host. */
function withoutRootDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}
