import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { createAddressGuard } from './address-guard.ts';

const strict = createAddressGuard({ allow: [], ports: [80, 443] });

describe('the address guard without an allowlist', () => {
  // At least one address of every special block, often the first and the last, and well-known targets in the blocks.
  it.each([
    ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '10.0.0.0', '10.1.2.3', '10.255.255.255'],
    ...['100.64.0.0', '100.100.100.200', '100.127.255.255', '127.0.0.1', '127.1.2.3', '127.255.255.255'],
    ...['168.63.129.16', '169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
    ...['172.16.0.0', '172.17.0.1', '172.31.255.255', '192.0.0.0', '192.0.0.192', '192.0.0.255'],
    ...['192.0.2.0', '192.0.2.255', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1'],
    ...['192.168.0.0', '192.168.1.1', '192.168.255.255', '198.18.0.0', '198.19.255.255'],
    ...['198.51.100.7', '203.0.113.7', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::7f00:1', '::a00:1', '::ffff:7f00:1', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
    ...['::ffff:0:7f00:1', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '64:ff9b:1:ffff::1'],
    ...[
      '100::1',
      '100:0:0:1::1',
      '2001::1',
      '2001:0:4136:e378:8000:63bf:3fff:fdd2',
      '2001:2::1',
      '2001:3::1',
    ],
    ...['2001:4:112::1', '2001:10::1', '2001:20::1', '2001:30::1', '2001:1ff:ffff::1', '2001:db8::1'],
    ...[
      '2002:7f00:1::',
      '2002:808:808::1',
      '2620:4f:8000::1',
      '3ffe::1',
      '3fff::1',
      '3fff:fff::1',
      '5f00::1',
    ],
    ...['fc00::1', 'fd00:ec2::254', 'fdff::1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'feff::1'],
    ...['ff02::1', 'ff0e::1', '4000::1', '8000::1', '1fff::1'],
  ])('refuses %s', (address) => {
    expect(strict.admitsAddress(address, 80)).toBe(false);
  });

  it.each([
    ...[
      '1.1.1.1',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
    ],
    ...['128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255'],
    ...[
      '172.32.0.0',
      '192.0.1.0',
      '192.0.3.0',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
    ],
    ...[
      '223.255.255.255',
      '2000::1',
      '2001:200::1',
      '2001:4860:4860::8888',
      '2003::1',
      '2606:4700:4700::1111',
    ],
    ...['2a00:1450::1', '3000::1', '3fff:1000::1'],
  ])('admits the public address %s', (address) => {
    expect(strict.admitsAddress(address, 443)).toBe(true);
  });

  it.each([
    '',
    'localhost',
    '127.1',
    '8.8',
    '134744072',
    '0x8080808',
    '010.8.8.8',
    '8.8.8.8.',
    '[2000::1]',
    '8.8.8.8/8',
  ])('does not accept "%s" as an address', (text) => {
    expect(strict.admitsAddress(text, 80)).toBe(false);
  });

  it('admits no address that the address library classifies as special', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(
        fc.oneof(fc.tuple(octet, octet, octet, octet), fc.array(octet, { minLength: 16, maxLength: 16 })),
        (bytes) => {
          const address = ipaddr.fromByteArray(bytes);
          if (strict.admitsAddress(address.toString(), 80)) expect(address.range()).toBe('unicast');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('admits public addresses on the given ports only', () => {
    expect(strict.admitsAddress('8.8.8.8', 80)).toBe(true);
    for (const port of [0, 22, 25, 8080, 8443, 65_535])
      expect(strict.admitsAddress('8.8.8.8', port)).toBe(false);
    expect(createAddressGuard({ allow: [], ports: [8080] }).admitsAddress('8.8.8.8', 80)).toBe(false);
  });
});

describe('the allowlist', () => {
  const allowing = (...allow: string[]) => createAddressGuard({ allow, ports: [80, 443] });

  it('allows the addresses of a CIDR on every port, and no other address', () => {
    const guard = allowing('127.0.0.0/8', 'fd12::/16');
    expect(guard.admitsAddress('127.0.0.1', 51_234)).toBe(true);
    expect(guard.admitsAddress('fd12::1', 9_000)).toBe(true);
    expect(guard.admitsAddress('10.0.0.1', 80)).toBe(false);
    expect(guard.admitsAddress('fd13::1', 80)).toBe(false);
    expect(guard.admitsAddress('::ffff:127.0.0.1', 80)).toBe(false);
    expect(guard.admitsAddress('::1', 80)).toBe(false);
    expect(guard.admitsHost('localhost', 80)).toBe(false);
  });

  it('allows an address only on the port that its entry names, or on every port if it names none', () => {
    const guard = allowing('127.0.0.1:9000', '[::1]:9001', '10.0.0.1', '::2');
    expect(guard.admitsAddress('127.0.0.1', 9_000)).toBe(true);
    expect(guard.admitsAddress('127.0.0.1', 80)).toBe(false);
    expect(guard.admitsAddress('127.0.0.2', 9_000)).toBe(false);
    expect(guard.admitsAddress('::1', 9_001)).toBe(true);
    expect(guard.admitsAddress('::1', 9_000)).toBe(false);
    expect(guard.admitsAddress('10.0.0.1', 5_000)).toBe(true);
    expect(guard.admitsAddress('::2', 5_000)).toBe(true);
  });

  it('allows a host by name, in upper or lower case and with a root dot, but no similar name', () => {
    const guard = allowing('CDN.internal', 'assets.shop:8443', 'bücher.example.');
    expect(guard.admitsHost('cdn.internal', 1_234)).toBe(true);
    expect(guard.admitsHost('cdn.internal.', 80)).toBe(true);
    expect(guard.admitsHost('evil-cdn.internal', 80)).toBe(false);
    expect(guard.admitsHost('a.cdn.internal', 80)).toBe(false);
    expect(guard.admitsHost('cdn.internal.evil.example', 80)).toBe(false);
    expect(guard.admitsHost('assets.shop', 8_443)).toBe(true);
    expect(guard.admitsHost('assets.shop', 443)).toBe(false);
    expect(guard.admitsHost('xn--bcher-kva.example', 80)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'a b',
    'http://a',
    '10.0.0.0/33',
    '10.0.0/8/8',
    'a/24',
    'a:0',
    'a:65536',
    'a:b',
    '*.a',
    'u@a',
    '[::1',
    '::1]:80',
  ])('rejects the malformed entry "%s" at creation', (entry) => {
    expect(() => allowing(entry)).toThrow(`"${entry}"`);
  });
});
