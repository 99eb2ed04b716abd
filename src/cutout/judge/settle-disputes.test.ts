import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../pixels.ts';
import { applySettlement } from './apply-settlement.ts';
import { findDisputes } from './find-disputes.ts';
import { predictProbability } from './logistic.ts';
import { GRID_PX, gatherOpinions, type Opinion, type OpinionKind } from './opinions.ts';
import { measureRisk, settleDisputes } from './settle-disputes.ts';

type Area = readonly [left: number, top: number, right: number, bottom: number];

function draw(areas: readonly Area[], side = GRID_PX): Matte {
  const data = new Uint8Array(side * side);
  const scale = side / GRID_PX;
  for (const [left, top, right, bottom] of areas) {
    for (let y = top * scale; y < bottom * scale; y++) {
      data.fill(255, y * side + left * scale, y * side + right * scale);
    }
  }
  return { width: side, height: side, data };
}

const body: Area = [100, 200, 250, 400];
const head: Area = [100, 100, 250, 200];
const opinion = (kind: OpinionKind, ...areas: readonly Area[]): Opinion => ({ kind, matte: draw(areas) });
const areaOf = ({ data }: Matte): number => data.filter((alpha) => alpha >= 128).length;

/** Gray, and red where the product is. */
const photo: RgbImage = {
  width: GRID_PX,
  height: GRID_PX,
  data: Uint8Array.from({ length: GRID_PX ** 2 * 3 }, (_, n) => {
    const i = Math.floor(n / 3);
    const [x, y] = [i % GRID_PX, Math.floor(i / GRID_PX)];
    const isProduct = x >= 100 && x < 250 && y >= 100 && y < 400;
    return isProduct && n % 3 === 0 ? 220 : 90;
  }),
};
const gather = (...opinions: readonly Opinion[]) => gatherOpinions(photo, opinions);
/** Believes the look from afar. */
const trusting = { intercept: 0, margin: 0.3, terms: { far: { mean: 0, deviation: 1, weight: 4 } } };

describe('disputes', () => {
  it('are parts that one look has and another lacks, and no outlines that are drawn a little differently', () => {
    const held = draw([body]);
    const [dispute, ...more] = findDisputes(held, opinion('far', body, head));
    expect(more).toEqual([]);
    expect(dispute).toMatchObject({ adds: true });
    expect(dispute!.pixels).toHaveLength(150 * 100);
    expect(findDisputes(held, opinion('far', [98, 198, 252, 402]))).toEqual([]);
  });

  it('are removals where the other look lacks the part', () => {
    const [dispute] = findDisputes(draw([body, head]), opinion('coarse', body));
    expect(dispute).toMatchObject({ adds: false });
    expect(dispute!.pixels).toHaveLength(150 * 100);
  });
});

describe('settling', () => {
  it('adds the part that the judge is sure of', async () => {
    const opinions = await gather(opinion('full', body), opinion('far', body, head), opinion('coarse', body));
    const settlement = settleDisputes(opinions, trusting);
    expect(settlement.changes).toHaveLength(1);
    expect(areaOf(settlement.held)).toBe(150 * 300);
    expect(measureRisk(settlement)).toBeLessThan(0.1);
  });

  it('removes one in the same way', async () => {
    const opinions = await gather(opinion('full', body, head), opinion('far', body));
    expect(areaOf(settleDisputes(opinions, trusting).held)).toBe(150 * 200);
  });

  it('leaves the finest look where the judge is not surer than the margin', async () => {
    const opinions = await gather(opinion('full', body), opinion('far', body, head));
    const settlement = settleDisputes(opinions, { ...trusting, margin: 0.49 });
    expect(settlement.changes).toEqual([]);
    expect(areaOf(settlement.held)).toBe(150 * 200);
    expect(measureRisk(settlement)).toBeGreaterThan(0.3);
  });

  it('ends where two looks contradict each other for ever', async () => {
    const opinions = await gather(opinion('full', body), opinion('far', body, head), opinion('coarse', body));
    const flighty = { intercept: 0, margin: -0.5, terms: {} };
    expect(settleDisputes(opinions, flighty).changes.length).toBeLessThanOrEqual(8);
  });

  it('draws the part into the finer matte, and nothing elsewhere', async () => {
    const [dispute] = findDisputes(draw([body]), opinion('far', body, head));
    const fine = draw([body], 2 * GRID_PX);
    const settled = await applySettlement(fine, [dispute!], photo);
    expect(areaOf(settled)).toBeGreaterThan(0.97 * 4 * 150 * 300);
    expect(areaOf(settled)).toBeLessThan(1.03 * 4 * 150 * 300);
    expect(settled.data[300 * 2 * (2 * GRID_PX) + 400 * 2]).toBe(0);
  });
});

describe('a logistic model', () => {
  it('answers one half where its numbers are at their means', () => {
    const terms = { size: { mean: 3, deviation: 2, weight: 5 } };
    expect(predictProbability({ intercept: 0, terms }, { size: 3 })).toBe(0.5);
    expect(predictProbability({ intercept: 0, terms }, { size: 5 })).toBeCloseTo(1 / (1 + Math.exp(-5)));
  });
});
