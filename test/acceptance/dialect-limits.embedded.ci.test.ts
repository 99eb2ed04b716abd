/**
 * The drop-in interfaces have the same credits, queues, deadlines and early refusals as the API, and store no
 * more of a photo than configured.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdRemover } from './held-remover.ts';
import { cratePhoto, formWith, isScaled, jsonOf, type Service, settingsOf, startService } from './service.ts';

const run = promisify(execFile);
let service: Service;
let photo: Buffer;
beforeAll(async () => {
  photo = await cratePhoto();
  // Keys are created in the service's data folder, so the service must not be a remote one (BASE_URL). It never is,
  // because `startService` starts a separate service if it gets settings.
  service = await startService({ MAX_IN_FLIGHT: '100' });
});
afterAll(() => service.stop());

async function createKey(...input: string[]): Promise<string> {
  const { stdout } = await run(
    process.execPath,
    ['bin/packshot.js', 'keys', 'create', '--name', 'shop', '--json', ...input],
    { env: { ...process.env, ...settingsOf(service.dataDir) } },
  );
  return (JSON.parse(stdout) as { key: string }).key;
}

function removebg(at: Service, fields: Record<string, string> = {}, key = at.key, file = photo) {
  const form = formWith(file, 'image_file');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return at.call('/v1.0/removebg', { method: 'POST', body: form, key });
}

const countDesigns = async (at: Service): Promise<number> => {
  const metrics = await (await at.call('/metrics')).text();
  return [...metrics.matchAll(/^packshot_designs\{[^}]*\} (\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
};

describe('credits', () => {
  it('are charged by size, only once for the same picture, and reported by both account calls', async () => {
    const key = await createKey('--credits', '1.5');
    const first = await removebg(service, { size: 'full', format: 'png' }, key);
    expect([first.status, first.headers.get('x-credits-charged')]).toEqual([200, '1']);
    const again = await removebg(service, { size: 'full', format: 'png' }, key);
    expect([again.status, again.headers.get('x-credits-charged')]).toEqual([200, '0']);
    const small = await removebg(service, { size: 'preview', crop: 'true' }, key);
    expect(small.headers.get('x-credits-charged')).toBe('0.25');
    const { data } = await jsonOf(service.call('/v1.0/account', { key }));
    expect(data.attributes.credits).toEqual({ total: 0.25, subscription: 0, payg: 0.25, enterprise: 0 });
    expect((await jsonOf(service.call('/v1/account', { key }))).credits.available).toBe(0.25);
  });

  it('give 402 in the format of each interface if there are too few; size=auto uses the remaining credits', async () => {
    const large = await cratePhoto({ width: 1200, height: 800, paper: '#dfe4e8' });
    const key = await createKey('--credits', '0.25');
    const full = await removebg(service, { size: 'full' }, key, large);
    expect([full.status, (await jsonOf(full)).errors]).toEqual([
      402,
      [{ title: 'Insufficient credits', code: 'insufficient_credits' }],
    ]);
    const segment = await service.call('/v1/segment', {
      method: 'POST',
      body: formWith(photo, 'image_file'),
      key,
    });
    expect([segment.status, (await jsonOf(segment)).status_code]).toEqual([402, 402]);
    const rembg = await service.call('/api/remove', { method: 'POST', body: formWith(photo), key });
    expect([rembg.status, typeof (await jsonOf(rembg)).detail]).toEqual([402, 'string']);
    const auto = await removebg(service, { size: 'auto' }, key, large);
    expect([auto.status, auto.headers.get('x-width'), auto.headers.get('x-credits-charged')]).toEqual([
      200,
      '612',
      '0.25',
    ]);
  });

  it('of a repeated call with size=auto are the first call’s: the same picture, not charged again', async () => {
    const large = await cratePhoto({ width: 1200, height: 800, paper: '#e4dfe8' });
    for (const credits of ['1.5', '1']) {
      const key = await createKey('--credits', credits);
      const facts = [];
      for (let tries = 0; tries < 3; tries++) {
        const { status, headers } = await removebg(service, { size: 'auto' }, key, large);
        facts.push([status, headers.get('x-width'), headers.get('x-credits-charged')]);
      }
      expect(facts).toEqual([
        [200, '1200', '1'],
        [200, '1200', '0'],
        [200, '1200', '0'],
      ]);
    }
  });

  it('are not charged for a photo without a subject', async () => {
    const key = await createKey('--credits', '1');
    const blank = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#eee' } })
      .png()
      .toBuffer();
    expect((await removebg(service, { size: 'full' }, key, blank)).status).toBe(400);
    expect((await jsonOf(service.call('/v1.0/account', { key }))).data.attributes.credits.total).toBe(1);
  });

  it('cannot be spent by a key that has only the scope `render`: its calls are refused', async () => {
    const key = await createKey('--scopes', 'render');
    const response = await removebg(service, {}, key);
    expect([response.status, (await jsonOf(response)).errors[0].code]).toEqual([403, 'auth_failed']);
  });
});

describe('the design of a drop-in call', () => {
  it('is deleted once the response is complete, whatever its status', async () => {
    expect((await removebg(service)).status).toBe(200);
    expect((await removebg(service, { bg_image_url: 'http://10.0.0.1/a.jpg' })).status).toBe(400);
    await expect.poll(() => countDesigns(service), { timeout: 20_000 }).toBe(0);
  });

  it('is kept if KEEP_COMPAT_DESIGNS is set', async () => {
    const keeping = await startService({ KEEP_COMPAT_DESIGNS: 'true' });
    expect((await removebg(keeping)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await countDesigns(keeping)).toBe(1);
    await keeping.stop();
  });
});

describe('an overloaded service', () => {
  it('reports a full queue in the format of each interface', async () => {
    const busy = await startService({ MAX_WAITING_CUTOUTS: '0' });
    const answers = [
      await removebg(busy),
      await busy.call('/v1/segment', { method: 'POST', body: formWith(photo, 'image_file') }),
      await busy.call('/api/remove', { method: 'POST', body: formWith(photo) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    const [one, two, three] = await Promise.all(answers.map(jsonOf));
    expect([one.errors[0].code, two.type, typeof three.detail]).toEqual([
      'queue_full',
      'queue_full',
      'string',
    ]);
    await busy.stop();
  });

  it('reports a missed deadline in the format of each interface', async () => {
    const late = await startService({ FULL_DEADLINE_MS: '100', REMOVAL_ENGINE: 'keyer' });
    const large = await cratePhoto({ width: 4000, height: 3000 });
    const response = await removebg(late, { size: 'full', format: 'jpg' }, late.key, large);
    expect([response.status, (await jsonOf(response)).errors[0].code]).toEqual([504, 'deadline_exceeded']);
    await late.stop();
  });
});

describe('a photo that is sent again', () => {
  it('gets the cutout that was begun: impatient clients succeed, and no photo is cut for each try', async () => {
    const remover = await holdRemover();
    const busy = await startService(remover.environment);
    const photos = await Promise.all(Array.from({ length: 12 }, (_, i) => cratePhoto({ width: 300 + i })));
    const hangUp = async (file: Buffer, signal: AbortSignal) => {
      const form = formWith(file, 'image_file');
      await expect(busy.call('/v1.0/removebg', { method: 'POST', body: form, signal })).rejects.toThrow();
    };
    const listStored = () => readdir(join(busy.dataDir, 'blobs', 'designs')).catch(() => []);
    const leave = new AbortController();
    const left = hangUp(photos[0]!, leave.signal);
    await expect.poll(listStored, { timeout: 30_000 }).toHaveLength(1);
    leave.abort();
    await left;
    // The service notices a moment later that the caller left.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await hangUp(photos[0]!, AbortSignal.timeout(3_000));
    // A repeat has the design of the call before, and so its place in the line.
    expect(await listStored()).toHaveLength(1);
    await Promise.all(photos.map((file) => hangUp(file, AbortSignal.timeout(3_000))));
    remover.release();
    const statuses = await Promise.all(
      photos.map(async (file) => {
        let { status } = await removebg(busy, {}, busy.key, file);
        for (let tries = 2; tries < 8 && status !== 200; tries++)
          ({ status } = await removebg(busy, {}, busy.key, file));
        return status;
      }),
    );
    expect(statuses).toEqual(photos.map(() => 200));
    expect(remover.countAsked()).toBeLessThanOrEqual(15);
    await busy.stop();
    remover.close();
  }, 120_000);
});

// Skipped in the setting `scaled`: there, the load balancer responds to these calls itself.
describe.skipIf(isScaled)('a request that Node rejects', () => {
  async function askRaw(path: string, headers: string) {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n`);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), json: JSON.parse(body) };
  }

  it('gets an error in the format of the interface that its path belongs to', async () => {
    const long = `X-Long: ${'x'.repeat(20_000)}`;
    const removed = await askRaw('/v1.0/account', long);
    expect([removed.status, removed.json.errors[0].code]).toEqual([431, 'headers_too_large']);
    expect((await askRaw('/v1/segment', long)).json).toMatchObject({ status_code: 431 });
    expect((await askRaw('/api/remove', 'Expect: more')).json).toEqual({ detail: expect.any(String) });
    expect((await askRaw('/v1/limits', long)).json).toMatchObject({ code: 'headers_too_large', status: 431 });
  });
});
