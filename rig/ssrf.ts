/**
 * Non-public addresses in many spellings, as URLs of uploads, illustrations and batch items: no byte may reach the
 * canary server.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { findProblemFault, Tally } from './answers.ts';
import { makePhoto } from './photos.ts';
import type { Run } from './run.ts';
import { type Client, unhurried, untilReady } from './service.ts';

/** One address of each special block of the IANA registries, and some well-known hosts in them. */
const addresses = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.1.2.3',
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.254',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.254',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '172.17.0.1',
  '[::]',
  '[::1]',
  '[fd12:3456:789a::1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[100::1]',
  '[2001::1]',
  '[2001:2::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:ffff:7f00:0001]',
  // Some of the addresses above, in spellings that URL parsers normalize.
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '127.1',
  '127.0.1',
  '0',
  '0x0',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127%2e0%2e0%2e1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'foo.localhost',
  'ip6-localhost',
];
const otherUrls = [
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  'gopher://127.0.0.1/_x',
  'dict://127.0.0.1:11211/',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  'blob:http://127.0.0.1/x',
  'jar:http://127.0.0.1!/',
  'ws://127.0.0.1/',
  'http:127.0.0.1',
  'http:///127.0.0.1',
  'http:\\\\127.0.0.1\\',
  '//127.0.0.1/',
  '127.0.0.1',
  ' http://127.0.0.1/',
  'http://127.0.0.1\t/',
  'http://example.com@127.0.0.1/',
  'http://user:secret@127.0.0.1/',
  'http://127.0.0.1#@example.com/',
  'http://127.0.0.1\\@example.com/',
  'http://[::1%25lo]/',
  'http://[::1',
  'http://',
  'http://.',
  'http://a b/',
  `http://127.0.0.1/${'x'.repeat(3_000)}`,
  'http://127.0.0.1:0/',
  'http://127.0.0.1:65536/',
  'http://127.0.0.1:22/',
  'http://[::ffff:127.0.0.1]:6379/',
];

export async function checkSsrf(run: Run): Promise<void> {
  const canary = await openCanary();
  const hop = await openHop(canary.port);
  const service = await run.start({
    ...unhurried,
    // Lets the service fetch four batch items at once: one fewer than it has render workers.
    RENDER_WORKERS: '5',
    URL_ALLOW: `127.0.0.1:${hop.port}`,
    ILLUSTRATION_ALLOW: `127.0.0.1:${hop.port}`,
  });
  try {
    await untilReady(service);
    const id = await service.upload(await makePhoto());
    await fireUploads(run, service, canary.port);
    await fireElsewhere(run, service, id, canary.port);
    // A remote service does not allow our redirect host, and refuses it like any other loopback address.
    if ('child' in service) await fireRedirects(run, service, hop, canary.port);
    run.bar(
      'connections to the canary',
      'none',
      `${canary.touched.length} ${canary.touched.slice(0, 5).join(' ')}`,
      canary.touched.length === 0,
    );
  } finally {
    canary.server.close();
    hop.server.close();
  }
}

async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

/** A server on loopback, which a call reaches only if the guard fails; also listens on port 80, if permitted. */
async function openCanary() {
  const touched: string[] = [];
  const server = createServer((request, response) => {
    touched.push(`${request.headers.host}${request.url}`);
    response.end('canary');
  });
  server.on('connection', (socket) =>
    touched.push(`connection to ${socket.localAddress}:${socket.localPort}`),
  );
  const port = await listen(server, 0, '::').catch(() => listen(server));
  const usual = createServer((_, response) => response.end('canary'));
  usual.on('connection', (socket) => touched.push(`connection to ${socket.localAddress}:80`));
  // Port 80 may be forbidden or in use; then the other port must be enough.
  await listen(usual, 80).catch(() => undefined);
  server.once('close', () => usual.close());
  return { server, port, touched };
}

/** A host on the operator's allowlist. It redirects to a given URL (`/302?URL`) or to itself (`/circle`). */
async function openHop(canaryPort: number) {
  const photo = await makePhoto();
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    if (url === '/photo') response.end(photo);
    else if (url === '/circle') response.writeHead(302, { location: '/circle' }).end();
    else if (url.startsWith('/meta'))
      response.end(`<meta http-equiv=refresh content="0;url=http://127.0.0.1:${canaryPort}/">`);
    else
      response
        .writeHead(Number(url.slice(1, 4)) || 302, { location: decodeURIComponent(url.split('?')[1] ?? '') })
        .end();
  });
  return { server, port: await listen(server) };
}

/** Makes many calls at once, because the service delays all refusals so that they take equally long. */
const fireAll = (urls: readonly string[], fire: (url: string) => Promise<void>) =>
  new PQueue({ concurrency: 32 }).addAll(urls.map((url) => () => fire(url)));

async function fireUploads(run: Run, service: Client, canaryPort: number): Promise<void> {
  const hosts = run.full ? ['/', `:${canaryPort}/`, ':443/a.jpg', ':8080/'] : ['/', `:${canaryPort}/`];
  const urls = [
    ...addresses.flatMap((address) => hosts.map((rest) => `http://${address}${rest}`)),
    ...addresses.map((address) => `https://${address}/`),
    ...otherUrls,
  ];
  const codes = new Tally();
  const faults: string[] = [];
  const times: number[] = [];
  await fireAll(urls, async (url) => {
    const startedAt = performance.now();
    const response = await service.call('/v1/design/image-upload-from-url', { json: { url } });
    times.push(performance.now() - startedAt);
    let code = '';
    const fault = await findProblemFault(response, (found) => {
      code = found;
      codes.add(found);
    });
    const refused = ['source_url_blocked', 'source_fetch_failed', 'invalid_field'].includes(code);
    if (fault || !refused) faults.push(`${url.slice(0, 60)}: ${fault ?? code}`);
  });
  run.bar('URLs', '>= 250', urls.length, urls.length >= 250);
  run.bar(
    'refused',
    'all',
    faults.length === 0 ? codes.toString() : faults.join(' | ').slice(0, 1_500),
    faults.length === 0,
  );
  const slowest = Math.round(Math.max(...times));
  run.fullBar('slowest refusal', '<= 15 s', `${slowest} ms`, slowest <= 15_000);
}

/** Tests two other places that accept a URL: illustrations of a render, and items of a batch. */
async function fireElsewhere(run: Run, service: Client, id: string, canaryPort: number): Promise<void> {
  const urls = addresses.map((address) => `http://${address}:${canaryPort}/a.jpg`);
  const answers = new Tally();
  await fireAll([...urls, ...otherUrls], async (uri) => {
    const mutations = { images: { primaryIllustration: { uri } } };
    const response = await service.call('/v1/design/preview.webp', {
      json: { id, recipeId: 'Studio001', variant: '1:1', mutations },
    });
    await findProblemFault(response, (code) => answers.add(code));
  });
  const right = answers.count('mutation_uri_rejected') + answers.count('invalid_field');
  run.bar('illustrations', 'all rejected', answers.toString(), right === urls.length + otherUrls.length);

  const items = urls.map((url) => ({ url, recipeId: 'Solid1_1_0035', variant: '1:1' }));
  const response = await service.call('/v1/jobs', { json: { items } });
  const batch = (await response.json()) as { id?: string; code?: string };
  if (!batch.id) {
    run.bar('items of a batch', 'all failed', batch.code ?? '', response.status === 422);
    return;
  }
  for (let looks = 0; looks < 1_800; looks++) {
    const { counts } = (await (await service.call(`/v1/jobs/${batch.id}`)).json()) as {
      counts: Record<string, number>;
    };
    if (counts.waiting === 0) {
      run.bar(
        'items of a batch',
        'all failed',
        `${counts.failed} failed, ${counts.done} done`,
        counts.failed === items.length,
      );
      return;
    }
    await sleep(100);
  }
  run.bar('items of a batch', 'all failed', 'still waiting after three minutes', false);
}

async function fireRedirects(
  run: Run,
  service: Client,
  hop: { port: number },
  canaryPort: number,
): Promise<void> {
  const base = `http://127.0.0.1:${hop.port}`;
  const to = (url: string, status = 302) => `${base}/${status}?${encodeURIComponent(url)}`;
  const good = await service.call('/v1/design/image-upload-from-url', { json: { url: to(`${base}/photo`) } });
  await good.arrayBuffer();
  run.bar('a redirect to a photo that may be fetched', '200', good.status, good.status === 200);
  const urls = [
    ...[301, 302, 303, 307, 308].map((status) => to(`http://127.0.0.1:${canaryPort}/`, status)),
    ...addresses.slice(0, 60).map((address) => to(`http://${address}:${canaryPort}/`)),
    to(to(to(`http://[::1]:${canaryPort}/`))),
    to('file:///etc/passwd'),
    to(`//127.0.0.1:${canaryPort}/`),
    to(''),
    `${base}/circle`,
    `${base}/meta`,
  ];
  const answers = new Tally();
  await fireAll(urls, async (url) => {
    const response = await service.call('/v1/design/image-upload-from-url', { json: { url } });
    if (response.status === 200) answers.add('200');
    else await findProblemFault(response, (code) => answers.add(code));
  });
  const refused = [
    'source_url_blocked',
    'source_fetch_failed',
    'unsupported_image_format',
    'image_undecodable',
  ];
  const right = refused.reduce((sum, code) => sum + answers.count(code), 0);
  run.bar('redirects from an allowed host', 'all refused', answers.toString(), right === urls.length);
}
