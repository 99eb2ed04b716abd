import { expect, it } from 'vitest';
import { jsonOf, startOwnService } from './service.ts';

/** Otherwise a service on loopback makes no links in any case. */
const reachable = { PUBLIC_URL: 'http://photos.example' };

it('a one-time link gives a phone a key of its own, once', async () => {
  const service = await startOwnService({ ...reachable, LAN: 'true' });
  try {
    const link = await service.call('/studio/phone-link', { method: 'POST' });
    expect(link.headers.get('cache-control')).toBe('no-store');
    const [, token] = /^http:\/\/photos\.example\/#\/phone\/([\w-]{22})$/.exec((await jsonOf(link)).url)!;
    const redeem = () => service.call('/studio/phone-key', { json: { token }, key: null });
    const { key } = await jsonOf(await redeem());
    expect((await service.call('/v1/looks', { key })).status).toBe(200);
    expect((await redeem()).status).toBe(204);
    expect((await service.call('/studio/phone-link', { method: 'POST', key: null })).status).toBe(401);
  } finally {
    await service.stop();
  }
});

it('there are no links unless the operator wants them', async () => {
  const service = await startOwnService(reachable);
  expect((await service.call('/studio/phone-link', { method: 'POST' })).status).toBe(204);
  await service.stop();
});
