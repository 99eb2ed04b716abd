import { describe, expect, it } from 'vitest';
import { pasteProduct } from './compose-product.ts';

/** A black square of 60 px on a white plate of 100 px. */
function paste(): (x: number, y: number) => number {
  const plate = { width: 100, height: 100, data: new Uint8Array(100 * 100 * 3).fill(255) };
  const data = new Uint8Array(60 * 60 * 4);
  for (let i = 3; i < data.length; i += 4) data[i] = 255;
  pasteProduct(plate, { image: { width: 60, height: 60, data }, x: 20, y: 20 });
  return (x, y) => plate.data[(y * 100 + x) * 3]!;
}

describe('pasteProduct', () => {
  const at = paste();

  it('keeps the original pixels, except within a few pixels of the outline', () => {
    for (const x of [24, 50, 75]) expect(at(x, 50)).toBe(0);
    expect(at(50, 24)).toBe(0);
  });

  it('adds a slight light wrap at the outline, but none at the foot', () => {
    expect(at(20, 40)).toBeGreaterThan(0);
    expect(at(20, 40)).toBeLessThan(60);
    expect(at(50, 79)).toBe(0);
  });

  it('changes brightness monotonically across the outline, from the set to the product', () => {
    for (let x = 15; x < 30; x++) expect(at(x, 40)).toBeGreaterThanOrEqual(at(x + 1, 40));
  });
});
