import { describe, expect, it } from 'vitest';
import type { Edge } from '../../designs/subject.ts';
import type { RgbaImage } from '../../pixels.ts';
import { measureProduct } from '../product-features.ts';
import { drawCan, drawMug, drawProduct, drawShoe, makeFeatures } from '../testing/silhouettes.ts';
import { findPose } from './pose.ts';

const poseOf = (image: RgbaImage, ...edges: Edge[]) => findPose(measureProduct(image, edges)!);
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

describe('a product’s pose', () => {
  it('is hung if straps or a cord lead out of the photo, but not if a potted plant’s leaf does', () => {
    expect(poseOf(drawCameraOnStraps(), 'top')).toBe('hung');
    expect(poseOf(drawLampOnCord(), 'top')).toBe('hung');
    expect(poseOf(drawPotPlant(), 'top')).toBe('standing');
    // In a photo that shows the ends of the straps, the camera may also lean on something.
    expect(poseOf(drawCameraOnStraps())).not.toBe('hung');
  });

  it('is hung if the photo crops its foot, but not if it crops only a leg', () => {
    expect(poseOf(drawMug(), 'bottom')).toBe('hung');
    expect(findPose(makeFeatures({ cropped: { bottom: 0.1 } }))).toBe('standing');
  });

  it('is not hung if a leaf above a narrow pot is cropped, because it gets wider below the edge', () => {
    const plant = drawProduct(
      size,
      (x, y) =>
        (y > 0.7 && Math.abs(x - 0.5) < 0.12) ||
        Math.hypot((x - 0.5) / 0.5, (y - 0.45) / 0.3) < 1 ||
        (y < 0.3 && Math.abs(x - 0.5) < 0.05 + 0.9 * y),
    );
    expect(poseOf(plant, 'top')).toBe('standing');
  });

  it('is lying if its parts are spread over the photo, unless it is a thin plant', () => {
    expect(poseOf(drawPotsFromAbove())).toBe('lying');
    expect(findPose(makeFeatures({ scatter: 0.7, thinness: 0.1 }))).toBe('lying');
    expect(findPose(makeFeatures({ scatter: 0.7, thinness: 0.7 }))).toBe('standing');
  });

  it('is lying if such products cannot stand, unless they lie in front of the camera', () => {
    expect(findPose(makeFeatures({ aspect: 0.2 }), true)).toBe('lying');
    expect(findPose(makeFeatures({ aspect: 0.2 }))).toBe('standing');
    expect(findPose(makeFeatures({ aspect: 4 }), true)).toBe('standing');
  });

  it('is standing for cans, mugs and shoes', () => {
    for (const image of [drawCan(12), drawMug(), drawShoe()]) expect(poseOf(image)).toBe('standing');
  });
});

it('measures how much of the photo’s edges the product covers', () => {
  const half = drawProduct(size, (x, y) => (y < 0.5 ? Math.abs(x - 0.5) < 0.1 : true));
  const { cropped } = measureProduct(half, ['top', 'bottom'])!;
  expect(cropped.top).toBeCloseTo(0.2, 1);
  expect(cropped.bottom).toBe(1);
  expect(cropped.left).toBeUndefined();
});
