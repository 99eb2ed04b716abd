/** Tests the real engine on difficult photos: needs the weights and several seconds per photo. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openIsnet } from '../../packages/cutout/src/engines/isnet.ts';
import { describeRemovalEngine } from '../../packages/cutout/src/removal-engine.contract.ts';
import type { RemovalEngine } from '../../packages/cutout/src/removal-engine.ts';
import { cases, floors, measured } from './cases.ts';
import { cacheDir, measureCase, writeFailure } from './measure.ts';

const open = () => openIsnet({ threads: 2, cacheDir });

describeRemovalEngine('isnet', open);

describe('the golden photos', () => {
  let engine: RemovalEngine;
  beforeAll(async () => {
    engine = await open();
  });
  afterAll(() => engine.close());

  it('are complete: each exact matte has a case, and each case has limits in floors.json', () => {
    const expected = readdirSync(new URL('expected/', import.meta.url)).map((name) =>
      name.replace('.alpha.png', ''),
    );
    const ids = cases.map(({ id }) => id).toSorted();
    expect(ids).toEqual(expected.toSorted());
    expect(Object.keys(floors).toSorted()).toEqual(ids);
  });

  it.each(measured)('$id: $why', async ({ id }) => {
    const cutout = await measureCase(id, engine);
    const { matteError, edgeError, iou, compositeP999 } = cutout.comparison;
    const floor = floors[id]!;
    const isGood =
      matteError <= floor.matteError &&
      edgeError <= floor.edgeError &&
      iou >= floor.iou &&
      compositeP999 <= floor.compositeP999;
    const hint = isGood ? '' : `pictures in ${await writeFailure(id, cutout)}`;
    expect(isGood, `${JSON.stringify(cutout.comparison)} against ${JSON.stringify(floor)}; ${hint}`).toBe(
      true,
    );
  });
});
