import { describe, expect, it } from 'vitest';
import type { Design } from '../designs/design.ts';
import { createEarlierCalls } from './earlier-calls.ts';

const photo = { bytes: new Uint8Array([1]), fileName: undefined, kindHint: undefined };

function openCalls(state: Design['state'] = 'processing') {
  const at = { now: 0 };
  const findDesign = async (id: string) => ({ id, state }) as Design;
  const calls = createEarlierCalls({ findDesign, clock: () => at.now, takenForMs: 1_000 });
  const key = calls.keyOf('acc_a', photo);
  return { calls, key, at };
}

describe('the design of a call whose caller left', () => {
  it('is taken by one repeat at a time, until one gets its picture', async () => {
    const { calls, key } = openCalls();
    expect(await calls.take(key)).toBeUndefined();
    calls.noteLeft(key, 'dsg_a');
    expect(await calls.take(key)).toMatchObject({ id: 'dsg_a' });
    expect(await calls.take(key)).toBeUndefined();
    calls.noteLeft(key, 'dsg_a');
    expect(await calls.take(key)).toMatchObject({ id: 'dsg_a' });
    calls.forget(key, 'dsg_a');
    expect([await calls.take(key), calls.hasAny('acc_a')]).toEqual([undefined, false]);
  });

  it('belongs to its account and to how the photo is cut out', async () => {
    const { calls, key } = openCalls();
    calls.noteLeft(key, 'dsg_a');
    const others = [calls.keyOf('acc_b', photo), calls.keyOf('acc_a', { ...photo, cutout: 'none' })];
    expect(await Promise.all(others.map(calls.take))).toEqual([undefined, undefined]);
    expect([calls.hasAny('acc_a'), calls.hasAny('acc_b')]).toEqual([true, false]);
  });

  it('is not taken once its time is over, counted from the first call that left, or after it failed', async () => {
    const { calls, key, at } = openCalls();
    calls.noteLeft(key, 'dsg_a');
    at.now = 900;
    await calls.take(key);
    calls.noteLeft(key, 'dsg_a');
    at.now = 1_001;
    expect([await calls.take(key), calls.hasAny('acc_a')]).toEqual([undefined, false]);
    const failed = openCalls('failed');
    failed.calls.noteLeft(failed.key, 'dsg_a');
    expect(await failed.calls.take(failed.key)).toBeUndefined();
  });
});
