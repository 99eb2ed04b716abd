/** Invalid requests for every endpoint: wrong JSON bodies, wrong ids in paths, wrong methods and wrong keys. */
import { gzipSync } from 'node:zlib';
import type { CallOptions, Client } from './service.ts';

export interface Case {
  readonly name: string;
  /** Acceptable statuses. */
  readonly allowed: readonly number[];
  send(service: Client): Promise<Response>;
}

const formats = ['webp', 'png', 'jpeg', 'avif'];
const renderPaths = ['preview', 'generated'].flatMap((target) =>
  formats.map((format) => `/v1/design/${target}.${format}`),
);
export const unknownId = 'dsg_0000000000000000000000';

type Body = Record<string, unknown>;

export function listRequestCases(id: string): Case[] {
  const render = { id, recipeId: 'Solid1_1_0035', variant: '1:1' };
  const bodies: readonly (readonly [string, Body])[] = [
    ...renderPaths.map((path) => [path, render] as const),
    ['/v1/design/suggest', { id, recipePreset: 'AI_STUDIO' }],
    ['/v1/design/image-upload-from-url', { url: 'http://127.0.0.1/photo.jpg' }],
    ['/v1/jobs', { items: [render] }],
  ];
  return [
    ...bodies.flatMap(([path, good]) => [...listRawCases(path, good), ...listFieldCases(path, good)]),
    ...listRenderCases(render),
    ...listSuggestCases({ id, recipePreset: 'AI_STUDIO' }),
    ...listBatchCases(render),
    ...listPathCases(),
    ...listKeyCases([...bodies.map(([path]) => path), '/v1/design/image-upload', '/v1/illustrations']),
  ];
}

const post = (
  name: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  allowed: readonly number[] = [400],
  headers: Record<string, string> = {},
): Case => ({
  name: `${path} ${name}`,
  allowed,
  send: (service) => service.call(path, { method: 'POST', body, headers }),
});
const json = (name: string, path: string, body: unknown, allowed?: readonly number[]): Case =>
  post(name, path, JSON.stringify(body), allowed);

function listRawCases(path: string, good: Body): Case[] {
  const text = JSON.stringify(good);
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const bytes = (...values: number[]) => new Uint8Array(values);
  return [
    post('empty', path, ''),
    post('cut off', path, text.slice(0, -1)),
    post('two documents', path, text + text),
    post('single quotes', path, text.replaceAll('"', "'")),
    post('trailing comma', path, text.replace('}', ',}')),
    post('NaN', path, text.replace(':', ':NaN,"x":')),
    post('no JSON', path, 'id=1&recipeId=2'),
    post('not UTF-8', path, bytes(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d)),
    post('overlong UTF-8', path, bytes(0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d)),
    post('UTF-16', path, new Uint8Array(Buffer.from(text, 'utf16le'))),
    post('NUL bytes', path, bytes(0, 0, 0, 0)),
    post('deep', path, nested(40)),
    post('very deep', path, nested(20_000), [400]),
    post('__proto__', path, text.replace('{', '{"__proto__":{"admin":true},')),
    post('constructor', path, text.replace('{', '{"constructor":{"prototype":{}},')),
    post('too long', path, `{"a":"${'x'.repeat(1_200_000)}"}`, [413]),
    post('gzip', path, new Uint8Array(gzipSync(text)), [400, 415], { 'content-encoding': 'gzip' }),
    post('declared as an image', path, text, [200, 202, 400, 415, 422], { 'content-type': 'image/png' }),
    post('declared as a form', path, text, [200, 202, 400, 415, 422], {
      'content-type': 'multipart/form-data',
    }),
    ...[null, [], 'text', 42, true].map((value) => json(`${JSON.stringify(value)} alone`, path, value)),
  ];
}

/** A lone surrogate, a NUL, a path, markup: strings that break code that trusts them. */
const oddStrings = [
  '',
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>',
  'ａ',
  '💥'.repeat(20),
];

function listFieldCases(path: string, good: Body): Case[] {
  const cases = [json('unknown field', path, { ...good, surprise: 1 })];
  for (const field of Object.keys(good)) {
    const { [field]: _, ...rest } = good;
    cases.push(json(`without ${field}`, path, rest));
    for (const value of [null, 42, {}, false]) {
      cases.push(json(`${field}: ${JSON.stringify(value)}`, path, { ...good, [field]: value }));
    }
    cases.push(json(`${field}: long`, path, { ...good, [field]: 'x'.repeat(5_000) }));
    // All picture formats share one body parser: test the odd strings on one of them.
    if (path.startsWith('/v1/design/preview.webp') || !renderPaths.includes(path)) {
      for (const value of oddStrings) {
        const name = `${field}: ${JSON.stringify(value).slice(0, 20)}`;
        cases.push(json(name, path, { ...good, [field]: value }, [400, 403, 404, 422]));
      }
    }
  }
  return cases;
}

function listRenderCases(render: Body): Case[] {
  const path = '/v1/design/preview.webp';
  const mutated = (mutations: unknown, allowed: readonly number[] = [400]) =>
    json(`mutations ${JSON.stringify(mutations).slice(0, 60)}`, path, { ...render, mutations }, allowed);
  const withUri = (uri: string, name = 'uri') =>
    mutated({ images: { primaryIllustration: { [name]: uri, source: 'WEB' } } }, [400, 422]);
  return [
    json('unknown design', path, { ...render, id: unknownId }, [404]),
    ...['Solid9_9_0000', 'Solid1_1_9999', 'solid1_1_0035', 'Transp002', 'Studio001x', '0035'].map(
      (recipeId) => json(`recipe ${recipeId}`, path, { ...render, recipeId }, [404]),
    ),
    ...['4:5', '1:2', '1x1', '1 : 1', '-1:1', '1:1:1'].map((variant) =>
      json(`variant ${variant}`, path, { ...render, variant }, [422]),
    ),
    // For an optional field, null means the same as leaving the field out; so does PHP's empty array.
    mutated(null, [200]),
    mutated([], [200]),
    ...['x', { a: 1 }, { layout: 'wide' }, { layout: { margin: 0.5 } }, { layout: { margin: '0.1' } }].map(
      (mutations) => mutated(mutations),
    ),
    mutated({ layout: { scale: -1 } }),
    mutated({ layout: { scale: 1e308 } }),
    mutated({ shadow: { kind: 'long' } }),
    mutated({ shadow: { strength: 2 } }),
    mutated({ background: { color: 'red' } }),
    mutated({ background: { color: '#ffff' } }),
    mutated({ edge: { shrinkPx: 5 } }),
    mutated({ edge: { glass: 'clear' } }),
    mutated({ images: { primaryIllustration: {} } }),
    mutated({ images: { secondIllustration: {} } }),
    mutated({ images: { primaryIllustration: { uri: 1 } } }),
    ...['http://127.0.0.1/', 'file:///etc/passwd', 'data:image/png;base64,AAAA', '//x', 'ill_0', ''].flatMap(
      (uri) => [withUri(uri), withUri(uri, 'previewUri')],
    ),
    withUri(`http://127.0.0.1/v1/illustrations/ill_${'0'.repeat(22)}.webp?e=9999999999&s=${'A'.repeat(43)}`),
    withUri('x'.repeat(3_000)),
  ];
}

function listSuggestCases(good: Body): Case[] {
  const path = '/v1/design/suggest';
  return [
    json('unknown design', path, { ...good, id: unknownId }, [404]),
    json('unknown preset', path, { ...good, recipePreset: 'NO_SUCH_PRESET' }, [403, 422]),
    json('long prompt', path, { ...good, prompt: 'x'.repeat(1_001) }),
    json('prompt is a list', path, { ...good, prompt: ['x'] }),
    json('filters is text', path, { ...good, filters: '1:1' }),
    json('unknown filter', path, { ...good, filters: { color: 'red' } }),
    ...['0:0', '1:1000', 'wide', '', '4/5', '\u0000'].map((aspectRatio) =>
      json(`ratio ${JSON.stringify(aspectRatio)}`, path, { ...good, filters: { aspectRatio } }, [400, 422]),
    ),
  ];
}

function listBatchCases(render: Body): Case[] {
  const path = '/v1/jobs';
  const url = 'https://example.com/a.jpg';
  return [
    json('no items', path, { items: [] }),
    json('too many items', path, { items: Array(1_001).fill({ ...render, id: 'x' }) }, [400, 413]),
    json('neither id nor url', path, { items: [{ recipeId: 'Transp001', variant: '1:1' }] }),
    json('both id and url', path, { items: [{ ...render, url }] }),
    json('unknown format', path, { items: [{ ...render, format: 'bmp' }] }),
    json('unknown event', path, { items: [render], events: ['batch.exploded'] }),
    json('events is text', path, { items: [render], events: 'batch.completed' }),
    json('long name', path, { items: [{ ...render, name: 'x'.repeat(201) }] }),
  ];
}

const badNames = [
  'x',
  unknownId,
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%ff',
  '%2e%2e',
  "'",
  `${'a'.repeat(2_000)}`,
  '%E2%80%AE',
];

function listPathCases(): Case[] {
  const gets = [
    '/v1/design/{}',
    '/v1/design/{}/cutout.png',
    '/v1/design/{}/cutout.webp',
    '/v1/design/{}/matte.png',
    '/v1/design/{}/photo.jpeg',
    '/v1/design/{}/events',
    '/v1/jobs/{}',
    '/v1/jobs/{}/results.zip',
    '/v1/illustrations/{}',
  ];
  const deletes = ['/v1/design/{}', '/v1/jobs/{}', '/v1/illustrations/{}'];
  const call = (method: string, path: string, allowed: readonly number[]): Case => ({
    name: `${method} ${path.slice(0, 80)}`,
    allowed,
    send: (service) => service.call(path, { method }),
  });
  return [
    ...gets.flatMap((path) => badNames.map((name) => call('GET', path.replace('{}', name), [400, 404, 414]))),
    ...deletes.flatMap((path) =>
      badNames.map((name) => call('DELETE', path.replace('{}', name), [400, 404, 414])),
    ),
    ...['-2', '1e9', 'x', '0.5', '1001'].map((after) =>
      call('GET', `/v1/jobs/${unknownId}?after=${after}`, [400, 404]),
    ),
    ...[
      '/v1/nothing',
      '/v2/design/suggest',
      '/v1//design/suggest',
      '/v1/design/preview.bmp',
      '/.env',
      '/v1/',
    ].map((path) => call('POST', path, [404, 405])),
    ...renderPaths.flatMap((path) =>
      ['GET', 'PUT', 'DELETE'].map((method) => call(method, path, [404, 405])),
    ),
    ...['/v1/recipes', '/v1/limits', '/v1/credits'].flatMap((path) =>
      ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => call(method, path, [405])),
    ),
    ...['/v1/jobs', '/v1/illustrations', '/v1/design/suggest'].map((path) => call('PATCH', path, [405])),
  ];
}

function listKeyCases(paths: readonly string[]): Case[] {
  const with_ = (path: string, name: string, options: CallOptions, allowed: readonly number[]): Case => ({
    name: `${path} ${name}`,
    allowed,
    send: (service) => service.call(path, { method: 'POST', body: '{}', ...options }),
  });
  return [
    ...paths.map((path) => with_(path, 'without a key', { key: null }, [401])),
    with_('/v1/design/suggest', 'empty key', { key: '' }, [401]),
    // 429 is also allowed: after twenty wrong keys within a minute, the address is throttled.
    ...['x', `psk_live_${'0'.repeat(36)}`, 'x'.repeat(4_000), "' OR ''='"].map((key) =>
      with_('/v1/design/suggest', `key ${key.slice(0, 20)}`, { key }, [401, 429]),
    ),
    {
      name: 'key in the query',
      allowed: [401],
      send: (service) => service.call(`/v1/credits?key=${service.key}&api_key=${service.key}`, { key: null }),
    },
  ];
}
