import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { cratePhoto, formWith, jsonOf, white } from './service.ts';

let dataDir: string;
let service: ServiceProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-log-'));
  service = await spawnService(dataDir, { LOG_LEVEL: 'trace' });
});
afterAll(async () => {
  await endProcess(service.child, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const lines = () =>
  service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

it('the log has one line per request, and never contains a key, a query, a name or a caller’s text', async () => {
  const wrongKey = 'psk_live_wrongwrongwrongwrongwrong';
  const secrets = [
    'very-private-name',
    'purple elephants',
    'query-secret',
    'header-secret',
    wrongKey,
    service.key,
  ];
  const body = formWith(await cratePhoto(), 'file', 'very-private-name.jpg');
  const { id } = await jsonOf(service.call('/v1/design/image-upload', { method: 'POST', body }));
  await service.call('/v1/design/preview.webp', { json: { id, ...white } });
  const prompt = 'purple elephants';
  const suggested = await jsonOf(
    service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO', prompt } }),
  );
  const { previewUri: uri } =
    suggested.suggestedRecipeLists[0].recipes[0].mutations.images.primaryIllustration;
  const signature = new URL(uri).searchParams.get('s')!;
  expect(signature.length).toBeGreaterThan(20);
  for (const path of [
    new URL(uri).pathname + new URL(uri).search,
    `${new URL(uri).pathname}?e=1&s=${signature}`,
    '/v1/limits?token=query-secret',
    '/v1/nothing/query-secret?token=query-secret',
    '/%ff?query-secret',
  ]) {
    await service.call(path, { headers: { 'x-other': 'header-secret', 'idempotency-key': 'header-secret' } });
  }
  await service.call('/v1/limits', { key: wrongKey });
  await service.call('/v1/design/suggest', {
    json: { id: 'very-private-name', recipePreset: 'query-secret' },
  });
  await service.call('/v1/design/preview.webp', { method: 'POST', body: '{"id": "query-secret' });
  await service.call('/v1/design/image-upload-from-url', {
    json: { url: 'http://127.0.0.1/very-private-name.jpg?query-secret' },
  });
  const broken = formWith(Buffer.from('no picture'), 'file', 'very-private-name.jpg');
  await service.call('/v1/design/image-upload', { method: 'POST', body: broken });

  // The last line has been read completely only once the process has closed its output.
  await Promise.all([once(service.child, 'close'), endProcess(service.child, 'SIGTERM')]);
  expect(service.output()).toMatch(/^SIGTERM: stopping$.*^Packshot ends with exit code 0 after \d+ s/ms);
  const all = lines();
  const requests = all.filter(({ msg }) => msg === 'request');
  const upload = requests.find(({ operation }) => operation === 'image-upload');
  expect(upload).toMatchObject({ level: 30, status: 200, design: id, key: expect.stringMatching(/^key_/) });
  const preview = requests.find(({ operation, status }) => operation === 'preview.webp' && status === 200);
  expect(preview).toMatchObject({
    design: id,
    account: expect.stringMatching(/^acc_/),
    steps: expect.stringMatching(/draw-picture;dur=/),
    durationMs: expect.any(Number),
    requestId: expect.stringMatching(/^req_/),
  });
  expect(all.find(({ msg }) => msg === 'cutout')).toMatchObject({ design: id, steps: expect.any(Array) });
  expect(requests.filter(({ operation }) => operation === 'unknown').length).toBeGreaterThan(0);
  const whole = service.output();
  for (const secret of [...secrets, signature]) expect(whole, secret).not.toContain(secret);
});
