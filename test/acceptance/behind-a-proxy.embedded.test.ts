/**
 * A service behind one trusted proxy trusts what the proxy adds to forwarding headers, and ignores what callers write
 * into them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonOf, type Service, startService } from './service.ts';

const publicUrl = 'https://cut.example.com';
let service: Service;
beforeAll(async () => {
  service = await startService({ TRUST_PROXY: 'true', PUBLIC_URL: publicUrl });
});
afterAll(() => service?.stop());

/** Makes more calls with wrong keys than one address may make per minute, and returns their statuses. */
async function tryWrongKeys(forwardedFor: (call: number) => string): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let call = 0; call < 25; call++) {
    const headers = { 'x-forwarded-for': forwardedFor(call) };
    statuses.add((await service.call('/v1/limits', { key: `wrong-${call}`, headers })).status);
  }
  return statuses;
}

describe('behind a proxy', () => {
  it('wrong keys are counted for the address that the proxy saw, whatever the caller claimed', async () => {
    const statuses = await tryWrongKeys((call) => `198.51.100.${call}, 203.0.113.1`);
    expect(statuses).toEqual(new Set([401, 429]));
  });

  it('wrong keys are counted for the whole network of an IPv6 customer', async () => {
    const statuses = await tryWrongKeys((call) => `2001:db8:1:2:${(call + 1).toString(16)}::1`);
    expect(statuses).toEqual(new Set([401, 429]));
  });

  it('callers are distinguished by the address that the proxy adds', async () => {
    const statuses = await tryWrongKeys((call) => `192.0.2.${call}`);
    expect(statuses).toEqual(new Set([401]));
  });

  it('issued URLs use PUBLIC_URL, whatever host and protocol the headers name', async () => {
    const headers = {
      'x-forwarded-proto': 'javascript',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '192.0.2.99',
    };
    const document = await jsonOf(service.call('/openapi.json', { headers }));
    expect(document.servers).toMatchObject([{ url: publicUrl }]);
  });
});
