import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { designBlobs } from './design.ts';
import { createDesignEraser, type DesignEraser } from './erase-designs.ts';
import { type DesignHouse, lifeMs, openDesignHouse } from './testing/design-house.ts';

let house: DesignHouse;
let eraser: DesignEraser;
let erased: string[];
let unswept: unknown[];
beforeEach(async () => {
  house = await openDesignHouse();
  erased = [];
  unswept = [];
  eraser = createDesignEraser({
    ...house,
    clock: () => house.clock.now,
    onErased: (id) => erased.push(id),
    onError: (error) => unswept.push(error),
  });
});
afterEach(() => house.close());

const hourMs = 3_600_000;

describe('erasing a design', () => {
  it('leaves no row, job or bytes, and touches nothing else', async () => {
    await house.insertDesign('dsg_a');
    await house.insertDesign('dsg_ab');
    await house.blobs.put(designBlobs.cutout('dsg_a'), Buffer.from('png'));
    await eraser.eraseDesign('dsg_a', 'acc_own');
    expect(await house.keys()).toEqual(['designs/dsg_ab/source']);
    expect(await house.designs.findDesign('dsg_a')).toBeUndefined();
    expect(await house.designs.findDesign('dsg_ab')).toBeDefined();
    expect(await house.queue.count('cutout')).toBe(1);
    expect(erased).toEqual(['dsg_a']);
  });

  it('is refused to another account, and for a design that is already erased', async () => {
    await house.insertDesign('dsg_a');
    const refusal = { code: 'design_not_found' };
    await expect(eraser.eraseDesign('dsg_a', 'acc_other')).rejects.toMatchObject(refusal);
    expect(await house.keys()).toEqual(['designs/dsg_a/source']);
    await eraser.eraseDesign('dsg_a', 'acc_own');
    await expect(eraser.eraseDesign('dsg_a', 'acc_own')).rejects.toMatchObject(refusal);
  });
});

describe('erasing a project', () => {
  it('erases its designs, also expired ones, and nothing else', async () => {
    await house.insertDesign('dsg_expired', 'acc_own', 'shoes');
    house.clock.now += lifeMs;
    for (let i = 0; i < 120; i++) await house.insertDesign(`dsg_${i}`, 'acc_own', 'shoes');
    await house.insertDesign('dsg_lamp', 'acc_own', 'lamps');
    await house.insertDesign('dsg_other', 'acc_other', 'shoes');
    expect(await eraser.eraseProject('shoes', 'acc_own')).toBe(121);
    expect(await house.keys()).toEqual(['designs/dsg_lamp/source', 'designs/dsg_other/source']);
    expect(await house.queue.count('cutout')).toBe(2);
    expect(erased).toHaveLength(121);
    await expect(eraser.eraseProject('shoes', 'acc_own')).rejects.toMatchObject({
      code: 'project_not_found',
    });
  });

  it('can be repeated after an error, to erase the rest', async () => {
    for (const id of ['dsg_a', 'dsg_b', 'dsg_c']) await house.insertDesign(id, 'acc_own', 'shoes');
    let calls = 0;
    const failing = createDesignEraser({
      ...house,
      clock: () => house.clock.now,
      eraseResults: async () => {
        calls += 1;
        if (calls === 2) throw new Error('storage is away');
      },
      onErased: (id) => erased.push(id),
      onError: (error) => unswept.push(error),
    });
    await expect(failing.eraseProject('shoes', 'acc_own')).rejects.toThrow('storage is away');
    expect(await failing.eraseProject('shoes', 'acc_own')).toBe(2);
    expect(await house.keys()).toEqual([]);
  });
});

describe('the sweep', () => {
  it('continues after a design that cannot be erased', async () => {
    await house.insertDesign('dsg_stuck');
    await house.insertDesign('dsg_free');
    house.clock.now += lifeMs + 1;
    const stuck = new Error('stuck');
    const sweeper = createDesignEraser({
      ...house,
      blobs: {
        ...house.blobs,
        deleteAll: async (prefix) => {
          if (prefix.endsWith('stuck')) throw stuck;
          await house.blobs.deleteAll(prefix);
        },
      },
      clock: () => house.clock.now,
      onErased: (id) => erased.push(id),
      onError: (error) => unswept.push(error),
    });
    await sweeper.sweepDesigns();
    expect(unswept).toContain(stuck);
    expect(await house.keys()).toEqual(['designs/dsg_stuck/source']);
  });

  it('erases expired designs and keeps the others', async () => {
    await house.insertDesign('dsg_old');
    house.clock.now += lifeMs - 1;
    await house.insertDesign('dsg_new');
    await eraser.sweepDesigns();
    expect(await house.keys()).toEqual(['designs/dsg_new/source', 'designs/dsg_old/source']);
    house.clock.now += 1;
    await eraser.sweepDesigns();
    expect(await house.keys()).toEqual(['designs/dsg_new/source']);
    expect(await house.designs.findDesign('dsg_old')).toBeUndefined();
  });

  it('erases bytes without a row once they are an hour old', async () => {
    for (const key of [designBlobs.source('dsg_lost'), designBlobs.cutout('dsg_lost')]) {
      await house.blobs.put(key, Buffer.from('x'));
    }
    house.clock.now += hourMs - 1;
    await house.blobs.put(designBlobs.source('dsg_underway'), Buffer.from('x'));
    await eraser.sweepDesigns();
    expect(await house.keys()).toHaveLength(3);
    house.clock.now += 1;
    await eraser.sweepDesigns();
    expect(await house.keys()).toEqual(['designs/dsg_underway/source']);
  });

  it('reports in a dry run what a real run would delete, and why', async () => {
    await house.insertDesign('dsg_old');
    await house.blobs.put(designBlobs.source('dsg_lost'), Buffer.from('x'));
    house.clock.now += lifeMs;
    await house.insertDesign('dsg_new');
    const stale: unknown[] = [];
    for await (const one of eraser.findStale()) stale.push(one);
    expect(stale).toEqual([
      { id: 'dsg_old', why: 'expired' },
      { id: 'dsg_lost', why: 'orphaned' },
    ]);
    expect(await house.keys()).toHaveLength(3);
  });

  it('keeps the bytes of a design that has not expired, however old they are', async () => {
    await house.insertDesign('dsg_a');
    house.clock.now += 24 * hourMs;
    await eraser.sweepDesigns();
    expect(await house.keys()).toEqual(['designs/dsg_a/source']);
  });
});
