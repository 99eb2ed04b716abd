import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openReceiver, type Received, type Receiver } from '../../src/events/testing/receiver.ts';
import { packshot, packshotProcess } from './command.ts';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import {
  cratePhoto,
  emptyPhoto,
  isScaled,
  jsonOf,
  type Service,
  startOwnService,
  startService,
  white,
} from './service.ts';

const env = { WEBHOOK_ALLOW: '127.0.0.1' };
const eventually = { timeout: 30_000, interval: 50 };

/** Runs the command line on the data folder of a running service. */
async function webhooks(dataDir: string, ...words: string[]) {
  const { code, stdout, stderr } = await packshot(['webhooks', ...words], {
    env: { ...env, DATA_DIR: dataDir },
  });
  return { code, stdout: stdout.toString(), stderr };
}
async function findAccount(dataDir: string): Promise<string> {
  const { stdout } = await packshot(['keys', 'list', '--json'], { env: { DATA_DIR: dataDir } });
  return JSON.parse(stdout.toString())[0].accountId;
}
async function listen(dataDir: string, receiver: Pick<Receiver, 'url'>, ...more: string[]) {
  const account = await findAccount(dataDir);
  const made = await webhooks(
    dataDir,
    'create',
    '--account',
    account,
    '--url',
    receiver.url,
    '--json',
    ...more,
  );
  expect(made.stderr).toBe('');
  return JSON.parse(made.stdout) as { id: string; secret: string };
}
const listAll = async (dataDir: string) => JSON.parse((await webhooks(dataDir, 'list', '--json')).stdout);

/** Verifies the signature and returns the payload. */
// biome-ignore lint/suspicious/noExplicitAny: the assertions read its fields.
function verify(secret: string, { body, headers }: Received): any {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

describe('webhooks', () => {
  let service: Service;
  let receiver: Receiver;
  beforeAll(async () => {
    service = await startService({ ...env, PUBLIC_URL: 'https://shop.example/' });
    receiver = await openReceiver();
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  it('report designs, renders and batches, signed as the Standard Webhooks specification requires', async () => {
    const { id: endpoint, secret } = await listen(service.dataDir, receiver);
    const [crate, empty] = [
      await service.upload(await cratePhoto()),
      await service.upload(await emptyPhoto()),
    ];
    const picture = await service.call('/v1/design/preview.webp', { json: { id: crate, ...white } });
    const batch = await jsonOf(
      service.call('/v1/jobs', {
        json: { items: [{ id: crate, ...white }], events: ['batch.completed', 'render.completed'] },
      }),
    );
    await vi.waitFor(() => expect(receiver.received).toHaveLength(5), eventually);

    const told = receiver.received.map((one) => verify(secret, one));
    const dataOf = (type: string) => told.filter((one) => one.type === type).map(({ data }) => data);
    const href = (id: string) => `https://shop.example/v1/design/${id}`;
    expect(dataOf('design.ready')).toEqual([{ id: crate, href: href(crate) }]);
    expect(dataOf('design.failed')).toMatchObject([
      { id: empty, href: href(empty), error: { code: 'no_subject_found' } },
    ]);
    const made = { designId: crate, ...white };
    expect(dataOf('render.completed').toSorted((a, b) => b.size.localeCompare(a.size))).toEqual([
      { ...made, size: 'preview', format: 'webp', etag: picture.headers.get('etag') },
      {
        ...made,
        size: 'generated',
        format: 'jpeg',
        etag: expect.any(String),
        batch: { id: batch.id, item: 0 },
      },
    ]);
    expect(dataOf('batch.completed')).toEqual([
      {
        id: batch.id,
        href: `https://shop.example/v1/jobs/${batch.id}`,
        resultsHref: `https://shop.example/v1/jobs/${batch.id}/results.zip`,
        counts: { total: 1, done: 1, failed: 0 },
      },
    ]);
    for (const { body } of receiver.received) expect(body.length).toBeLessThan(1_000);

    const first = receiver.received[0]!.headers['webhook-id'] as string;
    const { stdout } = await webhooks(service.dataDir, 'replay', '--event', first);
    expect(stdout).toBe('Replaying 1 delivery.\n');
    await vi.waitFor(() => expect(receiver.received).toHaveLength(6), eventually);
    expect(receiver.received[5]!.headers['webhook-id']).toBe(first);

    const rotated = await webhooks(service.dataDir, 'rotate-secret', endpoint, '--overlap-hours', '0');
    await webhooks(service.dataDir, 'replay', '--since', '2020-01-01', '--endpoint', endpoint);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(11), eventually);
    expect(verify(rotated.stdout.trim(), receiver.received[10]!)).toMatchObject({ data: {} });
    expect(() => verify(secret, receiver.received[10]!)).toThrow();

    // By a separate process, as users do: the running service must notice.
    const removed = await packshotProcess(['webhooks', 'remove', endpoint], {
      env: { ...env, DATA_DIR: service.dataDir },
    });
    expect(removed.code).toBe(0);
    await service.call('/v1/design/preview.webp', { json: { id: crate, ...white } });
    expect(await listAll(service.dataDir)).toEqual([]);
    expect(receiver.received).toHaveLength(11);
  });

  it('are sent to no internal address outside the allowlist', async () => {
    const strict = await startOwnService();
    try {
      const inside = `https://127.0.0.1:${receiver.port}/`;
      const before = receiver.received.length;
      await listen(strict.dataDir, { url: inside }, '--events', 'design.ready');
      await strict.upload(await cratePhoto());
      await vi.waitFor(async () => {
        expect(await listAll(strict.dataDir)).toMatchObject([
          { waiting: 1, failed: 0, lastFailure: 'calls to its host are not allowed' },
        ]);
      }, eventually);
      expect(receiver.received).toHaveLength(before);
    } finally {
      await strict.stop();
    }
  });

  it.each([
    ['plain http for a host outside the allowlist', ['--url', 'http://shop.example/hook'], /needs https/],
    ['an internal address', ['--url', 'https://10.0.0.7/hook'], /would not be sent[\s\S]*WEBHOOK_ALLOW/],
    ['an unknown event', ['--url', 'https://shop.example/', '--events', 'design.gone'], /Events are design/],
    [
      'an unknown account',
      ['--url', 'https://shop.example/', '--account', 'acc_none'],
      /no account acc_none/,
    ],
  ])('are not set up with %s', async (_, words, message) => {
    const account = await findAccount(service.dataDir);
    const { code, stderr } = await webhooks(service.dataDir, 'create', '--account', account, ...words);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(message);
  });
});

// Skipped in the setting `scaled`: the test restarts a service on the same data folder.
describe.skipIf(isScaled)('a process killed before an event has been delivered', () => {
  it('leaves the delivery to the next process', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'packshot-webhook-'));
    let open = false;
    const receiver = await openReceiver(() => (open ? 200 : 500));
    let running: ServiceProcess | undefined;
    try {
      running = await spawnService(dataDir, env);
      const { secret } = await listen(dataDir, receiver, '--events', 'design.ready');
      const id = await running.upload(await cratePhoto());
      await vi.waitFor(() => expect(receiver.received).toHaveLength(1), eventually);
      await endProcess(running.child, 'SIGKILL');
      open = true;
      running = await spawnService(dataDir, env);
      await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(1), eventually);
      expect(verify(secret, receiver.received[1]!)).toMatchObject({ type: 'design.ready', data: { id } });
      expect(receiver.received[1]!.headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id']);
      // The receiver's address, and secrets in its URL, must not be logged.
      expect(running.output()).not.toContain(receiver.url);
    } finally {
      if (running) await endProcess(running.child, 'SIGKILL');
      await receiver.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
