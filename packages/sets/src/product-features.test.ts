import { describe, expect, it } from 'vitest';
import { hueDistance } from './oklch.ts';
import { measureProduct } from './product-features.ts';
import { drawCan, drawCard, drawChair, drawMug, drawProduct, drawShoe } from './testing/silhouettes.ts';

describe('a photo that crops the lower end of legs', () => {
  const stool = (foot: number) =>
    drawProduct(
      { width: 160, height: 200 },
      (x, y) =>
        y < 0.1 ||
        (y < 0.85 && (Math.abs(x - 0.08) < 0.04 || Math.abs(x - 0.92) < 0.04)) ||
        Math.abs(x - 0.5) < foot / 2,
    );

  it('crops a product on a wide foot, but not one whose other feet are seen', () => {
    expect(measureProduct(stool(0.08), ['bottom'])!.cropped).toEqual({});
    expect(measureProduct(stool(0.5), ['bottom'])!.cropped.bottom).toBeCloseTo(0.5, 1);
    expect(Object.keys(measureProduct(stool(0.08), ['bottom', 'left'])!.cropped).sort()).toEqual([
      'bottom',
      'left',
    ]);
  });
});

describe('measureProduct', () => {
  it('finds nothing in an empty cutout', () => {
    expect(measureProduct(drawProduct({ width: 40, height: 40 }, () => false))).toBeUndefined();
  });

  it('measures a rectangle as full, solid and symmetric', () => {
    const features = measureProduct(drawCard())!;
    expect(features.aspect).toBeCloseTo(130 / 190, 1);
    for (const share of [features.fill, features.solidity, features.symmetry])
      expect(share).toBeGreaterThan(0.98);
    expect(features.thinness).toBeLessThan(0.02);
    expect(features.holes).toBe(0);
  });

  it('tells a box that lies at an angle from one that stands upright', () => {
    const turned = drawProduct({ width: 200, height: 200 }, (x, y) => {
      const [u, v] = [(x - 0.5) * 0.95 + (y - 0.5) * 0.31, (y - 0.5) * 0.95 - (x - 0.5) * 0.31];
      return Math.abs(u) < 0.35 && Math.abs(v) < 0.2;
    });
    expect(measureProduct(turned)!.turnDeg).toBeCloseTo(18, -1);
    for (const upright of [drawCard(), drawMug(), drawChair(), drawShoe()])
      expect(measureProduct(upright)!.turnDeg).toBe(0);
  });

  it('detects the hole in a handle', () => {
    expect(measureProduct(drawMug())!.holes).toBeGreaterThan(0.02);
  });

  it('counts the legs of a chair and none under a card', () => {
    expect(measureProduct(drawChair())!.legs).toBe(3);
    expect(measureProduct(drawCard())!.legs).toBe(0);
  });

  it('finds a mug’s centroid off the center of its box, away from the handle', () => {
    expect(measureProduct(drawMug())!.areaOffset).toBeLessThan(-0.04);
    expect(Math.abs(measureProduct(drawCard())!.areaOffset)).toBeLessThan(0.01);
  });

  it('distinguishes the rim color from the interior color', () => {
    const inner = (x: number, y: number): boolean => Math.hypot(x - 0.5, y - 0.5) < 0.35;
    const { rimColor, meanColor } = measureProduct(
      drawProduct(
        { width: 160, height: 160 },
        (x, y) => Math.hypot(x - 0.5, y - 0.5) < 0.45,
        (x, y) => (inner(x, y) ? [40, 40, 40] : [230, 225, 220]),
      ),
    )!;
    expect(rimColor.l).toBeGreaterThan(0.88);
    expect(meanColor.l).toBeLessThan(0.7);
  });

  it('derives the view elevation of a product on legs from its rear feet, and none from level feet', () => {
    const stool = (rise: number) =>
      measureProduct(
        drawProduct(
          { width: 200, height: 200 },
          (x, y) =>
            (y > 0.05 && y < 0.4 && x > 0.05 && x < 0.95) ||
            (x > 0.05 && x < 0.13 && y < 0.95) ||
            (x > 0.87 && x < 0.95 && y < 0.95 - rise),
        ),
      )!.legsElevationDeg;
    expect(stool(0.2)).toBeGreaterThan(9);
    expect(stool(0.2)).toBeLessThan(17);
    expect(stool(0.25)).toBeGreaterThan(stool(0.12)!);
    expect(stool(0)).toBeUndefined();
    expect(measureProduct(drawCard())!.legsElevationDeg).toBeUndefined();
  });

  it('measures how round an underside is', () => {
    const ball = drawProduct({ width: 200, height: 200 }, (x, y) => Math.hypot(x - 0.5, y - 0.5) < 0.45);
    expect(measureProduct(ball)!.roundness).toBeGreaterThan(0.8);
    expect(measureProduct(drawCard())!.roundness).toBe(0);
  });

  it('takes the main color from the colored part, not from the white around it', () => {
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
  ] as const)('reports where the light comes from: %s', (side, level) => {
    const image = drawProduct(
      { width: 80, height: 80 },
      () => true,
      (x) => [level(x), level(x), level(x)],
    );
    expect(measureProduct(image)!.lightFrom).toBe(side);
  });

  it.each([8, 14, 22])('derives a camera elevation of %i degrees from a round foot', (degrees) => {
    expect(measureProduct(drawCan(degrees))!.viewElevationDeg).toBeGreaterThan(degrees - 3);
    expect(measureProduct(drawCan(degrees))!.viewElevationDeg).toBeLessThan(degrees + 3);
  });

  it.each([15, 22, 28])('derives a camera elevation of %i degrees from the base of a box', (degrees) => {
    const tangent = Math.tan((degrees * Math.PI) / 180);
    // A base rotated by 45 degrees: both edges rise by the elevation's tangent.
    const box = drawProduct(
      { width: 220, height: 220 },
      (x, y) => Math.abs(x - 0.5) < 0.4 && y > 0.2 && y < 0.9 - tangent * Math.abs(x - 0.5),
    );
    expect(measureProduct(box)!.viewElevationDeg).toBeGreaterThan(degrees - 3);
    expect(measureProduct(box)!.viewElevationDeg).toBeLessThan(degrees + 3);
  });

  it('derives no elevation from a flat foot', () => {
    expect(measureProduct(drawCard())!.viewElevationDeg).toBeUndefined();
  });

  it('measures a large cutout like its downscaled version', () => {
    const draw = (size: number) =>
      measureProduct(
        drawProduct({ width: size, height: size }, (x, y) => (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.16),
      )!;
    expect(draw(900).fill).toBeCloseTo(draw(225).fill, 1);
    expect(draw(900).aspect).toBeCloseTo(1, 1);
  });
});
