import { describe, expect, it } from 'vitest';
import { hueDistance } from './oklch.ts';
import { measureProduct } from './product-features.ts';
import { drawCan, drawCard, drawChair, drawMug, drawProduct } from './testing/silhouettes.ts';

describe('measureProduct', () => {
  it('finds nothing in an empty cutout', () => {
    expect(measureProduct(drawProduct({ width: 40, height: 40 }, () => false))).toBeUndefined();
  });

  it('measures a rectangle as full, solid and its own mirror image', () => {
    const features = measureProduct(drawCard())!;
    expect(features.aspect).toBeCloseTo(130 / 190, 1);
    for (const share of [features.fill, features.solidity, features.symmetry])
      expect(share).toBeGreaterThan(0.98);
    expect(features.thinness).toBeLessThan(0.02);
    expect(features.holes).toBe(0);
  });

  it('sees the hole in a handle', () => {
    expect(measureProduct(drawMug())!.holes).toBeGreaterThan(0.02);
  });

  it('counts the legs of a chair and none under a card', () => {
    expect(measureProduct(drawChair())!.legs).toBe(3);
    expect(measureProduct(drawCard())!.legs).toBe(0);
  });

  it('takes the hue of the coloured part, not of the white around it', () => {
    const { mainColor, meanColor, colorfulness } = measureProduct(
      drawProduct(
        { width: 100, height: 100 },
        () => true,
        (x) => (x < 0.3 ? [30, 70, 200] : [245, 245, 245]),
      ),
    )!;
    expect(hueDistance(mainColor.h, 264)).toBeLessThan(15);
    expect(mainColor.c).toBeGreaterThan(meanColor.c + 0.05);
    expect(colorfulness).toBeCloseTo(0.3, 1);
  });

  it.each([
    ['left', (x: number) => (x < 0.5 ? 190 : 110)],
    ['right', (x: number) => (x < 0.5 ? 110 : 190)],
    ['unclear', () => 150],
  ] as const)('tells light from the %s', (side, level) => {
    const image = drawProduct(
      { width: 80, height: 80 },
      () => true,
      (x) => [level(x), level(x), level(x)],
    );
    expect(measureProduct(image)!.lightFrom).toBe(side);
  });

  it.each([8, 14, 22])('reads a camera %i degrees up from a round foot', (degrees) => {
    expect(measureProduct(drawCan(degrees))!.viewElevationDeg).toBeGreaterThan(degrees - 3);
    expect(measureProduct(drawCan(degrees))!.viewElevationDeg).toBeLessThan(degrees + 3);
  });

  it('claims no viewpoint for a flat foot', () => {
    expect(measureProduct(drawCard())!.viewElevationDeg).toBeUndefined();
  });

  it('measures a large cutout like the same one made small', () => {
    const draw = (size: number) =>
      measureProduct(
        drawProduct({ width: size, height: size }, (x, y) => (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.16),
      )!;
    expect(draw(900).fill).toBeCloseTo(draw(225).fill, 1);
    expect(draw(900).aspect).toBeCloseTo(1, 1);
  });
});
