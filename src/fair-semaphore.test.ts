import { describe, expect, it, vi } from 'vitest';
import { type Claim, createFairSemaphore, type FairSemaphore } from './fair-semaphore.ts';

const signal = new AbortController().signal;
const claim = (account: string, more: Partial<Claim> = {}): Claim => ({ account, signal, ...more });

/**
 * Makes the claims in the given order, then frees the held slots one by one. Returns the order in which the claims were
 * granted.
 */
async function serve(places: FairSemaphore, held: readonly (() => void)[], claims: readonly Claim[]) {
  const order: number[] = [];
  const done = claims.map((each, index) =>
    places.hold(each, async () => {
      order.push(index);
      await Promise.resolve();
    }),
  );
  for (const leave of held) leave();
  await Promise.all(done);
  return order;
}

describe('slots', () => {
  it('are limited in number, and free again once released', async () => {
    const places = createFairSemaphore({ places: 2 });
    const [first] = [await places.enter(claim('a')), await places.enter(claim('b'))];
    const third = places.enter(claim('c'));
    expect(places.state()).toEqual({ held: 2, waiting: 1 });
    first();
    first();
    await third;
    expect(places.state()).toEqual({ held: 2, waiting: 0 });
  });

  it('are taken by weight: heavy work leaves fewer to others, and to its account', async () => {
    const places = createFairSemaphore({ places: 10, maxPerAccount: 5 });
    const heavy = await places.enter(claim('a', { weight: 8 }));
    const own = places.enter(claim('a', { weight: 1 }));
    const other = await places.enter(claim('b', { weight: 8 }));
    const third = places.enter(claim('c'));
    expect(places.state()).toEqual({ held: 16, waiting: 2 });
    heavy();
    await Promise.all([own, third]);
    other();
    expect(places.state()).toEqual({ held: 2, waiting: 0 });
  });

  it('that exceed the maximum of one account are kept for other accounts', async () => {
    const places = createFairSemaphore({ places: 4, maxPerAccount: 2 });
    const held = [await places.enter(claim('greedy')), await places.enter(claim('greedy'))];
    let third = false;
    const waiting = places.enter(claim('greedy')).then(() => {
      third = true;
    });
    expect(places.isFull({ account: 'greedy' })).toBe(true);
    expect(places.isFull({ account: 'other' })).toBe(false);
    await places.enter(claim('other'));
    expect(third).toBe(false);
    held[0]!();
    await waiting;
  });

  it('are taken in turns by accounts, whatever their priorities and numbers of calls', async () => {
    const places = createFairSemaphore({ places: 1 });
    const leave = await places.enter(claim('a'));
    const claims = [
      ...['a', 'a', 'a', 'a'].map((account) => claim(account, { priority: 3 })),
      claim('b', { priority: 1 }),
      claim('b', { priority: 2 }),
      claim('c', { priority: 1 }),
    ];
    expect(await serve(places, [leave], claims)).toEqual([5, 6, 0, 4, 1, 2, 3]);
  });

  it('go to the account that holds the fewest slots', async () => {
    const places = createFairSemaphore({ places: 3 });
    await places.enter(claim('b'));
    const leaves = [await places.enter(claim('a')), await places.enter(claim('a'))];
    const turns: string[] = [];
    for (const account of ['a', 'b', 'c']) {
      void places.enter(claim(account)).then(() => turns.push(account));
    }
    for (const leave of leaves) leave();
    await new Promise(setImmediate);
    expect(turns).toEqual(['c', 'a']);
  });

  it('go to background work last, in order of priority, even if its account holds no slot', async () => {
    const places = createFairSemaphore({ places: 1 });
    const leave = await places.enter(claim('a'));
    const claims = [
      claim('b', { priority: -1 }),
      claim('b', { priority: 0 }),
      claim('c', { priority: 0 }),
      claim('a'),
      claim('a'),
    ];
    expect(await serve(places, [leave], claims)).toEqual([3, 4, 1, 2, 0]);
  });

  it('stay free for accounts that hold none, once the limit beyond each account’s first slot is reached', async () => {
    const places = createFairSemaphore({ places: 4, maxPerAccount: 2, maxBeyondFirst: 1 });
    await places.enter(claim('a'));
    const further = await places.enter(claim('a'));
    await places.enter(claim('b'));
    const second = places.enter(claim('b'));
    expect(places.state()).toEqual({ held: 3, waiting: 1 });
    expect(places.isFull({ account: 'b' })).toBe(true);
    const leave = await places.enter(claim('c'));
    leave();
    expect(places.state()).toEqual({ held: 3, waiting: 1 });
    further();
    await second;
    expect(places.state()).toEqual({ held: 3, waiting: 0 });
  });

  it('are not all taken by the long tasks of one account', async () => {
    const places = createFairSemaphore({ places: 2, maxLongPerAccount: 1 });
    const leave = await places.enter(claim('a', { long: true }));
    const second = places.enter(claim('a', { long: true }));
    expect(places.state()).toEqual({ held: 1, waiting: 1 });
    const short = await places.enter(claim('a'));
    short();
    (await places.enter(claim('b', { long: true })))();
    leave();
    await second;
  });
});

describe('a waiting call', () => {
  it("leaves the queue when its signal aborts, with the signal's reason, and frees no other call's slot", async () => {
    const places = createFairSemaphore({ places: 1 });
    const leave = await places.enter(claim('a'));
    const gone = new AbortController();
    const waiting = places.enter(claim('b', { signal: gone.signal }));
    const next = places.enter(claim('c'));
    gone.abort(new Error('the caller left'));
    await expect(waiting).rejects.toThrow('the caller left');
    expect(places.state()).toEqual({ held: 1, waiting: 1 });
    expect([places.countWaiting('b'), places.countWaiting('c')]).toEqual([0, 1]);
    leave();
    await next;
  });

  it('does not enter if its signal is already aborted', async () => {
    const places = createFairSemaphore({ places: 1 });
    await expect(places.enter(claim('a', { signal: AbortSignal.abort(new Error('late')) }))).rejects.toThrow(
      'late',
    );
    expect(places.state()).toEqual({ held: 0, waiting: 0 });
  });

  it('returns a slot granted just as the caller leaves, and does no work', async () => {
    const places = createFairSemaphore({ places: 1 });
    const leave = await places.enter(claim('a'));
    const gone = new AbortController();
    let worked = false;
    const held = places.hold(claim('b', { signal: gone.signal }), async () => {
      worked = true;
    });
    await new Promise(setImmediate);
    leave();
    gone.abort(new Error('the caller left'));
    await expect(held).rejects.toThrow('the caller left');
    expect(worked).toBe(false);
    expect(places.state()).toEqual({ held: 0, waiting: 0 });
  });

  it('holds its slot until the work ends, even if its caller leaves meanwhile', async () => {
    const places = createFairSemaphore({ places: 1 });
    const gone = new AbortController();
    const bytes = Promise.withResolvers<void>();
    const work = places.hold(claim('a', { signal: gone.signal }), () => bytes.promise);
    await new Promise(setImmediate);
    gone.abort();
    await new Promise(setImmediate);
    expect(places.state()).toEqual({ held: 1, waiting: 0 });
    bytes.resolve();
    await work;
    expect(places.state()).toEqual({ held: 0, waiting: 0 });
  });

  it('can be refused together with all other waiting calls', async () => {
    const places = createFairSemaphore({ places: 1 });
    await places.enter(claim('a'));
    const waiting = [places.enter(claim('a')), places.enter(claim('b'))];
    const refused = Promise.all(waiting.map((each) => expect(each).rejects.toThrow('closing')));
    places.refuseWaiting(new Error('closing'));
    await refused;
    expect(places.state()).toEqual({ held: 1, waiting: 0 });
  });

  it('fails with queue_full if its time runs out in the queue', async () => {
    const places = createFairSemaphore({ places: 1 });
    await places.enter(claim('a'));
    const late = places.enter(claim('b', { signal: AbortSignal.timeout(1) }));
    await expect(late).rejects.toMatchObject({ code: 'queue_full', retryAfterS: 5 });
  });

  it('is told to come back once the line has passed at its present pace', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const places = createFairSemaphore({ places: 1 });
    let leave = await places.enter(claim('a'));
    const waiting = Array.from({ length: 40 }, () => places.enter(claim('a')));
    for (const next of waiting.slice(0, 30)) {
      vi.advanceTimersByTime(2_000);
      leave();
      leave = await next;
    }
    expect(places.estimateWaitS()).toBeGreaterThan(18);
    expect(places.estimateWaitS()).toBeLessThan(26);
    vi.useRealTimers();
  });
});
