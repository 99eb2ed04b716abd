/**
 * Every published limit: its variable changes the published value. Unless another test covers the limit, a call that
 * exceeds the limit is refused.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentSchema } from '../../src/config.ts';
import {
  cratePhoto,
  formWith,
  jsonOf,
  problemOf,
  type Service,
  startService,
  testKey,
  white,
} from './service.ts';

/** A server that redirects as often as the path says. */
let origin: Server;
let service: Service;
beforeAll(async () => {
  origin = createServer((request, response) => {
    const left = Number(request.url!.slice(1));
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
    else response.end('no picture');
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  const variables = limits.flatMap(({ variable, value }) => (variable ? [[variable, String(value)]] : []));
  service = await startService({ URL_ALLOW: '127.0.0.1', ...Object.fromEntries(variables) });
});
afterAll(async () => {
  await service.stop();
  origin.closeAllConnections();
  origin.close();
});

const upload = async (photo: Buffer) =>
  service.call('/v1/design/image-upload', { method: 'POST', body: formWith(photo) });
const crate = (width: number, height: number) => cratePhoto({ width, height, format: 'png' });
const fromUrl = (path: string) => {
  const { port } = origin.address() as AddressInfo;
  return service.call('/v1/design/image-upload-from-url', {
    json: { url: `http://127.0.0.1:${port}/${path}` },
  });
};
const suggest = (prompt: string) =>
  service.call('/v1/design/suggest', { json: { id: 'dsg_none', recipePreset: 'AI_STUDIO', prompt } });
const batch = (items: object[], pad = '') =>
  service.call('/v1/jobs', { json: { items, ...(pad && { pad }) } });
const item = { id: 'dsg_none', ...white };

interface Limit {
  /** Undefined for a limit that no variable sets. */
  readonly variable?: string;
  readonly value: number;
  /** Path of the published limit, whose value is `value` unless `shown` is given. */
  readonly path: string;
  readonly shown?: number;
  /** A call that exceeds the limit, and the code that it gets. Omitted if another test covers the limit. */
  readonly exceed?: readonly [() => Promise<Response>, code: string];
}

const limits: readonly Limit[] = [
  {
    variable: 'MAX_FILE_BYTES',
    value: 100_000,
    path: 'image.maxBytes',
    exceed: [() => upload(Buffer.alloc(100_001)), 'file_too_large'],
  },
  {
    variable: 'MAX_MEGAPIXELS',
    value: 0.08,
    path: 'image.maxPixels',
    shown: 80_000,
    exceed: [async () => upload(await crate(300, 300)), 'image_too_large'],
  },
  { value: 80_000, path: 'image.maxAvifPixels' },
  {
    value: 16,
    path: 'image.minSidePx',
    exceed: [async () => upload(await crate(15, 100)), 'image_too_small'],
  },
  {
    value: 16_383,
    path: 'image.maxSidePx',
    exceed: [async () => upload(await crate(16_384, 16)), 'image_too_large'],
  },
  { variable: 'UPLOAD_TIMEOUT_MS', value: 55_000, path: 'upload.timeoutMs' },
  { value: 50_000, path: 'upload.minBytesPerSecond' },
  { value: 5_000, path: 'upload.graceMs' },
  { value: 8, path: 'upload.inMemory' },
  {
    value: 262_144,
    path: 'jsonBody.maxBytes',
    exceed: [() => suggest('x'.repeat(262_144)), 'body_too_large'],
  },
  {
    value: 1_000,
    path: 'prompt.maxChars',
    exceed: [() => suggest('x'.repeat(1_001)), 'invalid_field'],
  },
  {
    value: 1_000,
    path: 'batch.maxItems',
    exceed: [() => batch(Array.from({ length: 1_001 }, () => item)), 'invalid_field'],
  },
  { value: 100, path: 'looks.max' },
  {
    value: 1_048_576,
    path: 'batch.maxBytes',
    exceed: [() => batch([item], 'x'.repeat(1_048_576)), 'body_too_large'],
  },
  {
    variable: 'MAX_BATCH_BYTES',
    value: 5_000,
    path: 'batch.maxFilesBytes',
  },
  { value: 15_000, path: 'urlFetch.timeoutMs' },
  {
    value: 3,
    path: 'urlFetch.maxRedirects',
    exceed: [() => fromUrl('4'), 'source_fetch_failed'],
  },
  { variable: 'RATE_PER_SECOND', value: 900, path: 'rate.perSecond' },
  { variable: 'RATE_BURST', value: 800, path: 'rate.burst' },
  { value: 500, path: 'rate.dropInsPerMinute' },
  { variable: 'MAX_IN_FLIGHT', value: 50, path: 'rate.inFlight' },
  { variable: 'MAX_WAITING_CUTOUTS', value: 31, path: 'waiting.cutouts' },
  { variable: 'MAX_WAITING_RENDERS', value: 63, path: 'waiting.renders' },
  { variable: 'MAX_WAITING_BATCH_ITEMS', value: 99, path: 'waiting.batchItems' },
  { variable: 'PREVIEW_DEADLINE_MS', value: 58_000, path: 'deadlinesMs.preview' },
  { variable: 'FULL_DEADLINE_MS', value: 59_000, path: 'deadlinesMs.full' },
  { value: 19_000, path: 'deadlinesMs.removebg' },
  { value: 600_000, path: 'deadlinesMs.rembg' },
  { variable: 'RETENTION_DAYS', value: 3, path: 'retentionDays' },
];

const leavesOf = (value: unknown, path: readonly string[] = []): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
    : [path.join('.')];

describe('GET /v1/limits', () => {
  it('publishes every limit that a variable sets, the fixed limits, and no others', async () => {
    const published = leavesOf(await jsonOf(service.call('/v1/limits')));
    // Formats, picture sizes and the size of a mask are fixed; no variable sets them.
    const fixed = ['image.formats', 'canvas.previewPx', 'canvas.fullPx', 'correction.maxMaskBytes'];
    expect(published.toSorted()).toEqual([...fixed, ...limits.map(({ path }) => path)].toSorted());
    expect(Object.keys(environmentSchema.shape)).toEqual(
      expect.arrayContaining(limits.flatMap(({ variable }) => variable ?? [])),
    );
  });

  it.each(limits)('publishes $path', async ({ path, value, shown = value }) => {
    const published = await jsonOf(service.call('/v1/limits'));
    expect(path.split('.').reduce((at, key) => at[key], published)).toBe(shown);
  });

  it('publishes the rate that the headers report', async () => {
    const response = await service.call('/v1/limits', { key: testKey });
    expect(response.headers.get('ratelimit-limit')).toBe('800');
  });
});

describe('a limit', () => {
  it.each(limits.filter(({ exceed }) => exceed))(
    'is enforced as published: $path',
    async ({ value, shown, exceed }) => {
      const [call, code] = exceed!;
      const problem = await problemOf(await call());
      expect(problem.code).toBe(code);
      // The message contains the number, as bytes, pixels, seconds or megapixels.
      const numbers = [value, shown ?? value, value / 1_000].map(String);
      expect(
        numbers.some((number) => problem.detail.includes(number)),
        problem.detail,
      ).toBe(true);
    },
  );

  it('of characters counts an emoji as one', async () => {
    expect((await problemOf(await suggest('🪴'.repeat(1_000)))).code).toBe('design_not_found');
  });
});
