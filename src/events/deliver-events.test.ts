import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openQueue } from '../jobs/open-queue.ts';
import type { Queue } from '../jobs/queue.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { createEventDeliverer, type DeliveryReport } from './deliver-events.ts';
import { createDeliveryTries } from './delivery-tries.ts';
import { createEndpointStore } from './endpoint-store.ts';
import type { News } from './event.ts';
import { createOutbox } from './outbox.ts';
import { createPoster } from './post-message.ts';
import { openReceiver, type Receiver } from './testing/receiver.ts';

const hour = 3_600_000;
const eventually = { timeout: 15_000, interval: 10 };
const news = (id: string): News => ({
  accountId: 'acc_own',
  type: 'design.ready',
  data: { id, href: `/v1/design/${id}` },
});

let opened: TemporaryDatabase;
let queue: Queue;
let now: number;
/** Whether a call may take 10 s instead of 1 s, because even healthy receivers can be slow on a busy machine. */
let patient: boolean;
let reports: DeliveryReport[];
const receivers: Receiver[] = [];
let house: ReturnType<typeof openHouse>;

/** The clock stands still until it is set; receivers are real. */
function openHouse() {
  const { database } = opened;
  const clock = () => now;
  queue = openQueue({ ...opened, clock, sharedUrl: undefined, onError: () => undefined });
  const outbox = createOutbox({ database, queue, clock });
  patient = true;
  const posters = [1_000, 10_000].map((timeoutMs) => createPoster({ allow: ['127.0.0.1'], timeoutMs }));
  const deliverer = createEventDeliverer({
    deliveries: createDeliveryTries({ database, queue, clock }),
    queue,
    post: (...message) => posters[Number(patient)]!(...message),
    clock,
    onTry: (report) => reports.push(report),
  });
  deliverer.work();
  return { outbox, deliverer, endpoints: createEndpointStore(database, clock) };
}

beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.now();
  reports = [];
  for (const id of ['acc_own', 'acc_other']) {
    await opened.database.insertInto('accounts').values({ id, name: id, created_at: 0 }).execute();
  }
  house = openHouse();
});
afterEach(async () => {
  await queue.close({ graceMs: 1_000 });
  house.deliverer.close();
  await opened.close();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

async function listen(answer?: (call: number) => number | string | undefined, account = 'acc_own') {
  const receiver = await openReceiver(answer);
  receivers.push(receiver);
  const { secret, endpoint } = await house.endpoints.createEndpoint({
    accountId: account,
    url: receiver.url,
    events: ['design.ready', 'design.failed'],
  });
  return { receiver, secret, id: endpoint.id };
}
async function tell(...all: News[]) {
  await opened.database.transaction().execute(async (transaction) => {
    for (const one of all) await house.outbox.tell(one, transaction);
  });
  queue.wake();
}
const tried = (times: number) => vi.waitFor(() => expect(reports).toHaveLength(times), eventually);
/** Advances the clock once the current attempt has been recorded. */
async function pass(ms: number) {
  await vi.waitFor(async () => {
    const due = await opened.database.selectFrom('jobs').select('id').where('run_at', '<=', now).execute();
    expect(due).toEqual([]);
  }, eventually);
  now += ms;
  queue.wake();
}
const deliveries = () => opened.database.selectFrom('deliveries').selectAll().orderBy('updated_at').execute();

describe('an event', () => {
  it('reaches each subscribed endpoint of its account, signed and with its id', async () => {
    const [first, second, other] = [await listen(), await listen(), await listen(undefined, 'acc_other')];
    await tell(news('dsg_1'));
    await tried(2);
    for (const { receiver, secret } of [first, second]) {
      expect(receiver.received).toHaveLength(1);
      const { headers, body } = receiver.received[0]!;
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
        type: 'design.ready',
        timestamp: new Date(now).toISOString(),
        data: { id: 'dsg_1', href: '/v1/design/dsg_1' },
      });
    }
    expect(first.receiver.received[0]?.headers['webhook-id']).toBe(
      second.receiver.received[0]?.headers['webhook-id'],
    );
    expect(other.receiver.received).toEqual([]);
  });

  it('is not stored when its transaction is rolled back', async () => {
    const { receiver } = await listen();
    const failing = opened.database.transaction().execute(async (transaction) => {
      await house.outbox.tell(news('dsg_1'), transaction);
      throw new Error('no room');
    });
    await expect(failing).rejects.toThrow('no room');
    await tell(news('dsg_2'));
    await tried(1);
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.id)).toEqual(['dsg_2']);
  });

  it('is not stored if no endpoint subscribes to it', async () => {
    await listen();
    await tell({
      accountId: 'acc_own',
      type: 'illustration.ready',
      data: { id: 'ill_1', designId: 'dsg_1' },
    });
    expect(await opened.database.selectFrom('events').selectAll().execute()).toEqual([]);
  });

  it('is retried after 5 s and after 5 min with the same id when the response is 500', async () => {
    const { receiver } = await listen((call) => (call < 2 ? 500 : 200));
    await tell(news('dsg_1'));
    await tried(1);
    await pass(4_999);
    expect(await queue.count('deliver')).toBe(1);
    expect(reports).toHaveLength(1);
    await pass(1);
    await tried(2);
    await pass(300_000);
    await tried(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times[2]! - times[0]!).toBe(305);
    expect(await deliveries()).toMatchObject([
      { state: 'delivered', tries: 3, outcome: 'it responded with 200' },
    ]);
  });

  it.each([
    ['hangs', undefined, 'there was no response within 1 s'],
    ['redirects', 'http://127.0.0.1:9/', 'it responded with 307'],
  ] as const)('counts as not delivered if the receiver %s', async (_, answer, outcome) => {
    patient = false;
    await listen(() => answer);
    await tell(news('dsg_1'));
    await tried(1);
    await vi.waitFor(
      async () => expect(await deliveries()).toMatchObject([{ state: 'waiting', tries: 1, outcome }]),
      eventually,
    );
  });

  it('fails after seven tries, and can be redelivered manually', async () => {
    let status = 503;
    const { receiver } = await listen(() => status);
    await tell(news('dsg_1'));
    for (const [i, pauseMs] of [5_000, 300_000, 0.5 * hour, 2 * hour, 5 * hour, 10 * hour].entries()) {
      await tried(i + 1);
      await pass(pauseMs);
    }
    await tried(7);
    await pass(100 * hour);
    expect(await deliveries()).toMatchObject([{ state: 'failed', tries: 7 }]);
    status = 200;
    expect(await house.outbox.replay({ onlyFailed: true })).toBe(1);
    await tried(8);
    expect(receiver.received).toHaveLength(8);
    expect(await house.outbox.replay({ onlyFailed: true })).toBe(0);
    expect(await house.outbox.replay({ since: new Date(now - 1000 * hour) })).toBe(1);
    await tried(9);
  });
});

describe('an endpoint', () => {
  it('that responds with 410 is disabled until it is enabled again', async () => {
    let status = 410;
    const { receiver, id } = await listen(() => status);
    await tell(news('dsg_1'));
    await tried(1);
    await vi.waitFor(
      async () =>
        expect(await house.endpoints.listEndpoints()).toMatchObject([
          { disabledBecause: 'it responded with 410 Gone', failed: 1 },
        ]),
      eventually,
    );
    await tell(news('dsg_2'));
    await pass(100 * hour);
    expect(await house.outbox.replay({ onlyFailed: true })).toBe(0);
    expect(receiver.received).toHaveLength(1);
    status = 204;
    await house.endpoints.enableEndpoint(id);
    expect(await house.outbox.replay({ onlyFailed: true })).toBe(2);
    await tried(3);
    const ids = receiver.received.slice(1).map(({ body }) => JSON.parse(body).data.id);
    expect(ids.toSorted()).toEqual(['dsg_1', 'dsg_2']);
  });

  it('that fails for five days is disabled, but not one that succeeded in between', async () => {
    let status = 500;
    await listen(() => status);
    const round = async (id: string, times: number) => {
      await tell(news(id));
      await tried(times);
    };
    await round('dsg_1', 1);
    await pass(0);
    await opened.database.deleteFrom('jobs').execute();
    now += 119 * hour;
    status = 200;
    await round('dsg_2', 2);
    await pass(2 * hour);
    status = 500;
    await round('dsg_3', 3);
    expect(await house.endpoints.listEndpoints()).toMatchObject([{ disabledBecause: null }]);
    await pass(0);
    await opened.database.deleteFrom('jobs').execute();
    now += 120 * hour;
    await round('dsg_4', 4);
    await vi.waitFor(
      async () =>
        expect(await house.endpoints.listEndpoints()).toMatchObject([
          { disabledBecause: 'it failed for five days', waiting: 0 },
        ]),
      eventually,
    );
  });

  it('that hangs delays no other endpoint, and its queued deliveries fail without a call', async () => {
    patient = false;
    const { receiver: hanging } = await listen(() => undefined);
    const healthy = await listen();
    await tell(...Array.from({ length: 40 }, (_, i) => news(`dsg_${i}`)));
    await tried(80);
    expect(healthy.receiver.received).toHaveLength(40);
    // Two calls run at once; the deliveries behind them fail without a call. Deliveries that arrive after these calls
    // have timed out start two calls more, which may happen several times on a slow machine.
    expect(hanging.received.length).toBeLessThan(20);
  });

  it('may rotate its secret gradually: both secrets sign until the overlap ends', async () => {
    const { receiver, secret, id } = await listen();
    const newer = await house.endpoints.rotateSecret(id, hour);
    await tell(news('dsg_1'));
    await tried(1);
    now += hour;
    await tell(news('dsg_2'));
    await tried(2);
    const [during, after] = receiver.received;
    const verify = (one: string, { body, headers }: typeof during & object) =>
      new Webhook(one).verify(body, { ...(headers as Record<string, string>) });
    for (const one of [secret, newer]) expect(verify(one, during!)).toMatchObject({ type: 'design.ready' });
    expect(after!.headers['webhook-signature']).not.toContain(' ');
  });

  it('that is removed receives nothing more, not even waiting deliveries', async () => {
    const { receiver, id } = await listen(() => 500);
    await tell(news('dsg_1'));
    await tried(1);
    await pass(0);
    await house.endpoints.removeEndpoint(id);
    await pass(hour);
    await vi.waitFor(async () => expect(await queue.count('deliver')).toBe(0), eventually);
    expect(receiver.received).toHaveLength(1);
    await expect(house.endpoints.removeEndpoint(id)).rejects.toMatchObject({ code: 'invalid_field' });
  });
});

describe('old events', () => {
  it('are deleted after 30 days, with their deliveries', async () => {
    await listen();
    await tell(news('dsg_1'));
    await tried(1);
    await pass(29 * 24 * hour);
    await house.outbox.sweepEvents();
    expect(await deliveries()).toHaveLength(1);
    now += 25 * hour;
    await house.outbox.sweepEvents();
    expect(await deliveries()).toEqual([]);
  });

  it('are deleted in chunks of limited size', async () => {
    const { database } = opened;
    const old = { account_id: 'acc_own', type: 'design.ready', payload: '{}' };
    for (let page = 0; page < 11; page++) {
      const rows = Array.from({ length: 1_000 }, (_, i) => ({
        ...old,
        id: `msg_${page}_${i}`,
        created_at: page * 1_000 + i,
      }));
      await database.insertInto('events').values(rows).execute();
    }
    const statements = vi.spyOn(database, 'deleteFrom');
    await house.outbox.sweepEvents();
    expect(statements).toHaveBeenCalledTimes(3);
    expect(await database.selectFrom('events').selectAll().execute()).toEqual([]);
  });
});
