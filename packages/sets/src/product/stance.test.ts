import { describe, expect, it } from 'vitest';
import type { Edge, RgbaImage } from '../../../pixels/src/pixels.ts';
import { measureProduct, type ProductFeatures } from '../product-features.ts';
import { drawCan, drawMug, drawProduct, drawShoe, makeFeatures } from '../testing/silhouettes.ts';
import { findStance, type StanceFacts } from './stance.ts';

const kindOf = (features: ProductFeatures, facts?: StanceFacts) => findStance(features, facts).kind;
const stanceOf = (image: RgbaImage, ...edges: Edge[]) => kindOf(measureProduct(image, edges)!);
const size = { width: 160, height: 200 };

/** A camera that hangs from two straps by one corner. */
const drawCameraOnStraps = (): RgbaImage =>
  drawProduct(size, (x, y) => {
    const isStrap = y < 0.45 && (Math.abs(x - 0.12) < 0.02 || Math.abs(x - 0.88) < 0.03);
    return isStrap || (Math.abs(x - 0.5) < 0.42 && Math.abs(y - 0.62 - 0.3 * (x - 0.5)) < 0.22);
  });

/** A pot with a plant, of which one leaf reaches the upper edge. */
const drawPotPlant = (): RgbaImage =>
  drawProduct(
    size,
    (x, y) =>
      (y > 0.6 && Math.abs(x - 0.5) < 0.3) ||
      (y <= 0.6 && Math.abs(x - 0.5 + 0.3 * (0.6 - y)) < 0.05 + 0.4 * y * (0.6 - y)),
  );

const drawLampOnCord = (): RgbaImage =>
  drawProduct(size, (x, y) =>
    y < 0.5 ? Math.abs(x - 0.5) < 0.012 : Math.abs(x - 0.5) < 0.1 + 0.75 * (y - 0.5),
  );

/** Six pots seen from above. */
const drawPotsFromAbove = (): RgbaImage =>
  drawProduct(size, (x, y) => Math.hypot(((x * 2) % 1) - 0.5, ((y * 3) % 1) - 0.5) < 0.4);

describe('a product’s stance', () => {
  it('hangs if straps or a cord lead out of the photo, but not if a potted plant’s leaf does', () => {
    expect(stanceOf(drawCameraOnStraps(), 'top')).toBe('hangs');
    expect(stanceOf(drawLampOnCord(), 'top')).toBe('hangs');
    expect(stanceOf(drawPotPlant(), 'top')).toBe('stands');
    // In a photo that shows the ends of the straps, the camera may also lean on something.
    expect(stanceOf(drawCameraOnStraps())).not.toBe('hangs');
  });

  it('is cropped if the photo crops its foot, or only a leg', () => {
    expect(stanceOf(drawMug(), 'bottom')).toBe('cropped');
    expect(kindOf(makeFeatures({ cropped: { bottom: 0.1 } }))).toBe('cropped');
  });

  it('does not hang if a leaf above a narrow pot is cropped, because it gets wider below the edge', () => {
    const plant = drawProduct(
      size,
      (x, y) =>
        (y > 0.7 && Math.abs(x - 0.5) < 0.12) ||
        Math.hypot((x - 0.5) / 0.5, (y - 0.45) / 0.3) < 1 ||
        (y < 0.3 && Math.abs(x - 0.5) < 0.05 + 0.9 * y),
    );
    expect(stanceOf(plant, 'top')).not.toBe('hangs');
  });

  it('lies if its parts are spread over the photo, unless it is a thin plant', () => {
    expect(stanceOf(drawPotsFromAbove())).toBe('lies');
    expect(kindOf(makeFeatures({ scatter: 0.7, thinness: 0.1 }))).toBe('lies');
    expect(kindOf(makeFeatures({ scatter: 0.7, thinness: 0.7 }))).toBe('stands');
  });

  it('lies if such products cannot stand, unless they lie in front of the camera', () => {
    expect(kindOf(makeFeatures({ aspect: 0.2 }), { fallsOver: true })).toBe('lies');
    expect(kindOf(makeFeatures({ aspect: 0.2 }))).toBe('stands');
    expect(kindOf(makeFeatures({ aspect: 4 }), { fallsOver: true })).toBe('stands');
  });

  it('stands for cans, mugs and shoes', () => {
    for (const image of [drawCan(12), drawMug(), drawShoe()]) expect(stanceOf(image)).toBe('stands');
  });

  it('lies if it would fall over: a bar that leans on one corner', () => {
    const bar = drawProduct(size, (x, y) => Math.abs(y - x) < 0.12 && y > 0.02 && y < 0.98);
    expect(stanceOf(bar)).toBe('lies');
  });

  it('lies if the camera looked down from high above', () => {
    expect(kindOf(makeFeatures({ viewElevationDeg: 50 }))).toBe('lies');
  });

  it('lies if most of what the photo shows is its base, or its base rises steeply to both sides', () => {
    const fit = { contacts: [{ x: 0, y: 0.6 }], floatOdds: 1, tipDeg: 20, seenFromAbove: false };
    expect(kindOf(makeFeatures({ ground: fit }))).toBe('lies');
    const steep = drawProduct(size, (x, y) => y < 0.95 - 1.1 * Math.abs(x - 0.5) && y > 0.05);
    expect(stanceOf(steep)).toBe('lies');
  });

  it('is unclear if no ground fits its outline', () => {
    const ground = { contacts: [], floatOdds: 1, tipDeg: 20, seenFromAbove: false };
    expect(kindOf(makeFeatures({ ground }))).toBe('unclear');
  });

  it('is worn by a person whose skin shows and whose head the photo crops; a wooden chair is not', () => {
    expect(kindOf(makeFeatures({ skin: 0.2, cropped: { bottom: 0.5 } }))).toBe('cropped');
    expect(kindOf(makeFeatures({ skin: 0.2, cropped: { top: 0.5 } }))).toBe('worn');
    expect(kindOf(makeFeatures({ skin: 0.35 }))).toBe('stands');
    expect(kindOf(makeFeatures({ skin: 0, cropped: { bottom: 0.5 } }))).toBe('cropped');
  });

  it('tells where a can touches the ground, in heights of the can', () => {
    const { contacts, cameraElevationDeg } = findStance(measureProduct(drawCan(12))!);
    expect(contacts.at(0)!.x).toBeLessThan(0.3);
    expect(contacts.at(-1)!.x).toBeGreaterThan(0.5);
    expect(cameraElevationDeg).toBeCloseTo(12, -1);
  });
});

it('measures how much of the photo’s edges the product covers', () => {
  const half = drawProduct(size, (x, y) => (y < 0.5 ? Math.abs(x - 0.5) < 0.1 : true));
  const { cropped } = measureProduct(half, ['top', 'bottom'])!;
  expect(cropped.top).toBeCloseTo(0.2, 1);
  expect(cropped.bottom).toBe(1);
  expect(cropped.left).toBeUndefined();
});
