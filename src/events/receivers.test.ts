import { describe, expect, it } from 'vitest';
import { createReceiverRules } from './receivers.ts';

const names: Record<string, string[]> = {
  'shop.example': ['93.184.216.34'],
  'rebound.example': ['93.184.216.34', '192.168.0.5'],
  localhost: ['127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
};
const { examine } = createReceiverRules({
  allow: ['shop.internal', '10.0.0.0/8', 'shop.example:8443'],
  lookup: async (host) => {
    if (!(host in names)) throw new Error('ENOTFOUND');
    return names[host]!.map((address) => ({ address, family: 4 }));
  },
});

describe('a receiver', () => {
  it.each([
    'https://shop.example/hook?token=1',
    'https://93.184.216.34/',
    'https://shop.internal/',
    'http://shop.internal:9000/',
    'http://10.1.2.3/',
    'https://10.1.2.3:9000/',
    'https://shop.example:8443/',
  ])('%s is accepted', async (url) => expect(await examine(url)).toBeUndefined());

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://localhost/hook',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://192.168.1.10/',
    'https://169.254.169.254/',
    'https://metadata.example/',
    'https://rebound.example/',
    'https://shop.example:9443/',
    'https://93.184.216.34:22/',
    'http://shop.example/',
    'http://93.184.216.34/',
  ])('%s is refused with a hint about WEBHOOK_ALLOW', async (url) => {
    expect(await examine(url)).toEqual({ refused: expect.stringContaining('WEBHOOK_ALLOW') });
  });

  it.each([
    'https://user@shop.example/',
    'https://shop.example/#a',
    'ftp://shop.internal/',
    'shop.example',
    `https://shop.example/${'x'.repeat(2_100)}`,
  ])('%s is refused as a URL', async (url) => {
    expect(await examine(url)).toEqual({ refused: expect.stringContaining('The URL') });
  });

  it('whose name does not resolve here is doubtful, not refused', async () => {
    expect(await examine('https://soon.example/')).toEqual({
      doubtful: expect.stringContaining('does not resolve'),
    });
  });
});
