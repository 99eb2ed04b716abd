import { describe, expect, it } from 'vitest';
import { stageScene } from '../../../studio/src/stage-scene.ts';
import { makePlan } from '../testing/plans.ts';
import { makeFeatures } from '../testing/silhouettes.ts';
import { groundScale, slabWidth } from './real-scale.ts';

const products = [
  { name: 'mouse', aspect: 1.8, lengthCm: 11, staging: 'long-low' },
  { name: 'camera', aspect: 1.4, lengthCm: 14, staging: 'irregular' },
  { name: 'basketball', aspect: 1, lengthCm: 24, staging: 'irregular' },
  { name: 'orchid', aspect: 0.6, lengthCm: 48, staging: 'upright-tall' },
  { name: 'lamp', aspect: 0.7, lengthCm: 60, staging: 'upright-tall' },
] as const;

describe('the scale of the ground', () => {
  it('shows finer veins on a floor than on a table', () => {
    const subject = { width: 1.35, height: 0.5 };
    const scaleOn = (isFloor: boolean): number => groundScale('marble', subject, { lengthCm: 200, isFloor });
    expect(scaleOn(true)).toBeGreaterThan(1.5 * scaleOn(false));
  });

  it.each(products)('lays slabs wider than a $name, so that no joint runs below its middle', (product) => {
    const { aspect, lengthCm } = product;
    const subject = aspect > 1.3 ? { width: 1.35, height: 1.35 / aspect } : { width: aspect, height: 1 };
    const width = slabWidth(40, subject, lengthCm);
    expect(width).toBeGreaterThan(subject.width);
    expect(width).toBeLessThan(2.5);
  });

  it.each(products)('lays boards of 7 to 16 cm beside a $name, in real places and studio sets', (product) => {
    const { aspect, lengthCm, staging } = product;
    const wish = { features: makeFeatures({ aspect }), staging, lengthCm };
    for (const id of ['old-square-wood', 'living-room-oak', 'oak-table', 'pale-wood-window']) {
      const plan = makePlan(id, wish);
      const { materials, objects } = stageScene(plan);
      const ground = plan.place ? objects[0]!.material : 'surface';
      const { kind, plankWidth } = materials[ground]!;
      if (kind !== 'wood') continue;
      const boardCm = (plankWidth! * lengthCm) / Math.max(plan.subject.width, plan.subject.height);
      expect(boardCm).toBeGreaterThan(6.5);
      expect(boardCm).toBeLessThan(16);
    }
  });
});
