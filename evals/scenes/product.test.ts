import { describe, expect, it } from 'vitest';
import {
  measureClash,
  measureHalo,
  measurePlace,
  measureProductChange,
  measureSeparation,
} from './product.ts';
import { drawProduct, makeShot, paint, pasteOver, SIDE_PX } from './sample.ts';

describe("the product's pixels", () => {
  it('are unchanged if the picture shows the cutout', () => {
    const shot = makeShot();
    expect(measureProductChange(shot, shot.picture.data)).toEqual({ max: 0, mean: 0 });
  });

  it('are changed if one pixel deep inside differs by one level', () => {
    const shot = makeShot();
    const data = Uint8Array.from(shot.picture.data);
    data[(70 * SIDE_PX + 60) * 3]!++;
    expect(measureProductChange(shot, data)?.max).toBeGreaterThan(0.2);
  });

  it('count as unchanged if only the rim differs, as with light wrap', () => {
    const shot = makeShot();
    const data = Uint8Array.from(shot.picture.data);
    data[(70 * SIDE_PX + 45) * 3]! += 50;
    expect(measureProductChange(shot, data)?.max).toBe(0);
  });

  it('cannot be compared if the product is so thin that no pixel is deep inside it', () => {
    const product = { ...drawProduct(6, 60, () => true), x: 60, y: 40 };
    expect(measureProductChange(makeShot({ product }), makeShot().picture.data)).toBeUndefined();
  });
});

describe("the product's place", () => {
  it('is given in fractions of the frame', () => {
    const place = measurePlace(makeShot());
    expect(place.width).toBe(40 / SIDE_PX);
    expect(place.height).toBe(60 / SIDE_PX);
    expect(place.border).toBeCloseTo(28 / SIDE_PX);
    expect(place.freeAbove).toBe(40 / SIDE_PX);
    expect(place.offCenter).toBe(0);
  });

  it('is off-center if the box or its content is off-center', () => {
    const shifted = { ...drawProduct(40, 60, () => true), x: 50, y: 40 };
    expect(measurePlace(makeShot({ product: shifted })).offCenter).toBeCloseTo(6 / SIDE_PX);
    const lopsided = { ...drawProduct(40, 60, (x, y) => x < 20 || y < 4), x: 44, y: 40 };
    expect(measurePlace(makeShot({ product: lopsided })).offCenter).toBeLessThan(-0.05);
  });

  it('has no border if the product touches the frame', () => {
    const product = { ...drawProduct(40, 60, () => true), x: 0, y: 40 };
    expect(measurePlace(makeShot({ product })).border).toBe(0);
  });
});

describe('the rim', () => {
  const half = drawProduct(40, 60, () => true);
  for (let y = 0; y < 60; y++) half.image.data[(y * 40 + 39) * 4 + 3] = 128;
  const product = { ...half, x: 44, y: 40 };

  it('is clean if its colors are a mix of both sides', () => {
    expect(measureHalo(makeShot({ product }))).toBe(0);
  });

  it('is a halo if it is brighter than both sides', () => {
    const picture = pasteOver(
      paint(() => 200),
      product,
    );
    for (let y = 40; y < 100; y++) picture.data.fill(255, (y * SIDE_PX + 83) * 3, (y * SIDE_PX + 84) * 3);
    expect(measureHalo(makeShot({ product, picture }))).toBe(1);
  });
});

describe('separation', () => {
  it('is the distance between the colors on the two sides of the outline', () => {
    // The OKLab lightness of grays 120 and 200 is 0.573 and 0.833.
    expect(measureSeparation(makeShot())).toBeCloseTo(0.26, 2);
  });

  it('is zero for a gray product on the same gray', () => {
    expect(measureSeparation(makeShot({ plate: paint(() => 120) }))).toBeCloseTo(0, 5);
  });
});

describe('a clash', () => {
  const green = paint(() => [40, 170, 60]);

  it('is measured only between strong colors', () => {
    const clash = measureClash(makeShot({ plate: green, mainColor: { l: 0.7, c: 0.15, h: 105 } }));
    expect(clash).toBeGreaterThan(30);
    expect(clash).toBeLessThan(50);
    expect(measureClash(makeShot({ plate: green, mainColor: { l: 0.7, c: 0.05, h: 105 } }))).toBeUndefined();
    expect(measureClash(makeShot({ mainColor: { l: 0.7, c: 0.15, h: 105 } }))).toBeUndefined();
  });
});
