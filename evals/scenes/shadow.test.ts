import { describe, expect, it } from 'vitest';
import { decodeSrgb } from '../../src/srgb.ts';
import { makeShot, paint, SIDE_PX } from './sample.ts';
import {
  measureContact,
  measureEdgeWidth,
  measureHorizon,
  measureReflection,
  measureShadowSide,
} from './shadow.ts';

/** The lowest row of the box in `makeShot`. */
const FOOT_ROW = 99;

describe('contact', () => {
  it('is the fraction of the empty set’s light that remains below the foot', () => {
    const grounded = paint((_, y) =>
      y === FOOT_ROW + 1 ? 100 : y > FOOT_ROW && y < FOOT_ROW + 4 ? 170 : 200,
    );
    const [one, , , twenty] = measureContact(makeShot({ grounded }))!;
    expect(one).toBeCloseTo(decodeSrgb(100 / 255) / decodeSrgb(200 / 255), 5);
    expect(twenty).toBe(1);
  });

  it('is absent below a floating product', () => {
    expect(measureContact(makeShot())).toEqual([1, 1, 1, 1]);
  });

  it('does not apply to a flat lay', () => {
    expect(measureContact(makeShot({ composition: 'flatlay' }))).toBeUndefined();
  });
});

describe("the shadow's side", () => {
  const darkRight = paint((x, y) => (x > 84 && x < 110 && y > 80 && y < 100 ? 120 : 200));

  it('is positive if the shadow falls away from a key light on the left', () => {
    expect(measureShadowSide(makeShot({ grounded: darkRight, az: -45 }))).toBeGreaterThan(0.3);
  });

  it('is negative if the shadow falls toward the key light', () => {
    expect(measureShadowSide(makeShot({ grounded: darkRight, az: 45 }))).toBeLessThan(-0.3);
  });

  it('ignores dark places outside the cast shadow, such as a pot', () => {
    const withPot = paint((x, y) => (x < 30 || (x > 84 && x < 110 && y > 80 && y < 100) ? 120 : 200));
    const shaded = Uint8Array.from({ length: SIDE_PX * SIDE_PX }, (_, i) => (i % SIDE_PX < 30 ? 0 : 1));
    expect(measureShadowSide(makeShot({ grounded: withPot, az: -45 }))).toBeLessThan(0);
    expect(measureShadowSide(makeShot({ grounded: withPot, az: -45, shaded }))).toBeGreaterThan(0.3);
  });

  it('is zero without a shadow, and does not apply if the light is behind the camera', () => {
    expect(measureShadowSide(makeShot())).toBe(0);
    expect(measureShadowSide(makeShot({ grounded: darkRight, az: 3 }))).toBeUndefined();
    expect(measureShadowSide(makeShot({ grounded: darkRight, az: -29, angularRadius: 24 }))).toBeUndefined();
  });
});

describe('the width of an edge', () => {
  it('is measured from 90 to 10% of the depth', () => {
    const ramp = Array.from({ length: 60 }, (_, x) => 0.5 * Math.min(1, Math.max(0, (40 - x) / 20)));
    const { width, depth } = measureEdgeWidth(ramp)!;
    expect(depth).toBe(0.5);
    expect(width).toBeGreaterThanOrEqual(16);
    expect(width).toBeLessThanOrEqual(18);
  });

  it('is undefined if the profile does not fall off', () => {
    expect(measureEdgeWidth([0.5, 0.5, 0.4])).toBeUndefined();
    expect(measureEdgeWidth([0, 0, 0])).toBeUndefined();
  });
});

describe('reflection', () => {
  const striped = makeShot({ roughness: 0.1 });
  const { image } = striped.product;
  for (let i = 0; i < image.width * image.height; i++) {
    image.data.fill(Math.floor((i % image.width) / 5) % 2 === 0 ? 220 : 60, i * 4, i * 4 + 3);
  }
  const mirrored = (bright: number, dark: number) =>
    paint((x, y) => {
      if (y <= FOOT_ROW || x < 44 || x >= 84) return 200;
      return Math.floor((x - 44) / 5) % 2 === 0 ? bright : dark;
    });
  const shot = (grounded: ReturnType<typeof paint>, roughness = 0.1) =>
    makeShot({ product: striped.product, grounded, roughness });

  it('is detected in mirrored stripes of the product', () => {
    expect(measureReflection(shot(mirrored(210, 180)))).toBeGreaterThan(0.9);
  });

  it('is not detected in inverted stripes', () => {
    expect(measureReflection(shot(mirrored(180, 210)))).toBeLessThan(-0.9);
  });

  it('does not apply to rough ground or a product of a single tone', () => {
    expect(measureReflection(shot(mirrored(210, 180), 0.5))).toBeUndefined();
    expect(measureReflection(makeShot({ roughness: 0.1, grounded: mirrored(210, 180) }))).toBeUndefined();
  });
});

describe('the horizon', () => {
  const wallDownTo = (row: number) => new Uint8Array(SIDE_PX * SIDE_PX).fill(1, 0, row * SIDE_PX);
  const at = (row: number) => makeShot({ horizonRow: row, wall: wallDownTo(row) });

  it('is given in product heights above the foot', () => {
    expect(measureHorizon(at(70))).toBe(0.5);
    expect(measureHorizon(at(106))).toBeCloseTo(-0.1);
  });

  it('does not apply if it is invisible', () => {
    expect(measureHorizon(makeShot({ wall: wallDownTo(70) }))).toBeUndefined();
    expect(measureHorizon(at(400))).toBeUndefined();
    expect(measureHorizon(makeShot({ horizonRow: 70 }))).toBeUndefined();
    expect(measureHorizon({ ...at(70), plan: makeShot({ composition: 'shelf' }).plan })).toBeUndefined();
  });
});
