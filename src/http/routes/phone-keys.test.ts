import type { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { phoneUrls } from './phone-keys.ts';

const interfaces = {
  lo: [{ address: '127.0.0.1', family: 'IPv4', internal: true }],
  vpn: [{ address: '100.64.0.7', family: 'IPv4', internal: false }],
  wlan: [
    { address: '192.168.0.5', family: 'IPv4', internal: false },
    { address: 'fe80::1', family: 'IPv6', internal: false },
  ],
} as unknown as ReturnType<typeof networkInterfaces>;

test.each([
  ['0.0.0.0', undefined, ['http://192.168.0.5:80', 'http://100.64.0.7:80']],
  ['::', 'http://localhost:8080', ['http://192.168.0.5:80', 'http://100.64.0.7:80']],
  ['10.1.2.3', undefined, ['http://10.1.2.3:80']],
  ['fd00::2', undefined, ['http://[fd00::2]:80']],
  ['127.0.0.1', undefined, []],
  ['::1', 'http://127.0.0.1', []],
  ['127.0.0.1', 'https://photos.example', ['https://photos.example']],
])('a service on %s with the public URL %s has links at %j', (address, publicUrl, bases) => {
  expect(phoneUrls('TOKEN', publicUrl, { address, port: 80 }, interfaces)).toEqual(
    bases.map((base) => `${base}/#/phone/TOKEN`),
  );
});
