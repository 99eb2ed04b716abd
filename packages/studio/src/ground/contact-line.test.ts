import { describe, expect, it } from 'vitest';
import { type ContactLight, darkenContact, measureContact } from './contact-line.ts';
import type { PlacedSubject } from './silhouette.ts';

const canvas = { width: 400, height: 400 };

/** Opaque rectangles in a box of 200×240 px at (100, 80). */
function place(
  rectangles: readonly (readonly [x: number, y: number, width: number, height: number])[],
): PlacedSubject {
  const data = new Uint8Array(200 * 240 * 4);
  for (const [x, y, width, height] of rectangles) {
    for (let row = y; row < y + height; row++) {
      data.fill(255, 4 * (row * 200 + x), 4 * (row * 200 + x + width));
    }
  }
  return { image: { width: 200, height: 240, data }, x: 100, y: 80 };
}

function measure(subject: PlacedSubject, light?: ContactLight): (x: number, y: number) => number {
  const kept = new Float32Array(400 * 400).fill(1);
  const keep = (pixel: number, share: number) => {
    kept[pixel] = share;
  };
  measureContact(canvas, subject, keep, light);
  return (x, y) => kept[y * 400 + x]!;
}

const block = place([[0, 0, 200, 240]]);

describe('the contact line', () => {
  it('is dark at the foot and fades out monotonically below it', () => {
    const at = measure(block);
    const below = [0, 1, 2, 4, 8, 16, 40].map((distance) => at(200, 320 + distance));
    expect(below[0]).toBeLessThan(0.45);
    expect(below[2]).toBeLessThan(0.75);
    expect(below.at(-1)).toBe(1);
    expect(below).toEqual(below.toSorted((a, b) => a - b));
  });

  it('reaches farther below the foot in light from all around', () => {
    const near = measure(block);
    const far = measure(block, { fromAllAround: true });
    expect(far(200, 320)).toBeLessThan(near(200, 320));
    expect(near(200, 345)).toBe(1);
    expect(far(200, 345)).toBeLessThan(0.99);
    expect(far(200, 385)).toBe(1);
  });

  it('spreads along the whole lower outline of a ball, on both sides, in light from all around', () => {
    const ball = place(
      Array.from({ length: 200 }, (_, row) => {
        const half = Math.round(Math.sqrt(100 ** 2 - (row + 0.5 - 100) ** 2));
        return [100 - half, row, 2 * half, 1] as const;
      }),
    );
    const at = measure(ball, { foreshortening: 0.2, fromAllAround: true });
    // 4 px outside of the outline: below the middle, and 40 degrees to each side.
    const sides = [-40, 0, 40].map((degrees) => {
      const angle = (degrees * Math.PI) / 180;
      return at(Math.round(199.5 + 104 * Math.sin(angle)), Math.round(179.5 + 104 * Math.cos(angle)));
    });
    expect(sides[1]).toBeLessThan(0.6);
    expect(sides[0]).toBeCloseTo(sides[2]!, 2);
    expect(sides[0]).toBeGreaterThan(sides[1]!);
    expect(sides[0]).toBeLessThan(0.9);
    // A quarter of the radius below, it has nearly faded out.
    expect(at(200, 305)).toBeGreaterThan(0.9);
  });

  it('fades out beside the foot, too', () => {
    const at = measure(block);
    expect(at(302, 319)).toBeGreaterThan(at(299, 319));
    expect(at(302, 319)).toBeLessThan(1);
    expect(at(330, 319)).toBe(1);
  });

  it('is under each leg, but not between them', () => {
    const at = measure(
      place([
        [0, 0, 200, 60],
        [0, 60, 12, 180],
        [188, 60, 12, 180],
      ]),
    );
    expect(at(106, 320)).toBeLessThan(0.6);
    expect(at(294, 320)).toBeLessThan(0.6);
    expect(at(200, 321)).toBe(1);
    expect(at(200, 142)).toBe(1);
  });

  it('is nearly as dark below a thin leg as below a broad foot', () => {
    const below = (legWidth: number): number =>
      measure(
        place([
          [0, 0, 200, 60],
          [0, 60, legWidth, 180],
          [200 - legWidth, 60, legWidth, 180],
        ]),
      )(100 + legWidth / 2, 323);
    expect(below(6)).toBeLessThan(below(100) + 0.3);
    expect(below(6)).toBeLessThan(0.75);
    expect(below(6)).toBeGreaterThanOrEqual(below(100));
  });

  it('becomes fainter without a jump where the outline rises from the ground', () => {
    // An arch between two feet; in its middle, the outline is 20 px above the ground.
    const riseAt = (x: number): number => Math.round(20 * Math.max(0, 1 - ((x - 99.5) / 60) ** 2));
    const at = measure(place(Array.from({ length: 200 }, (_, x) => [x, 0, 1, 240 - riseAt(x)] as const)));
    const below = [45, 50, 60, 75, 99].map((x) => at(100 + x, 322 - riseAt(x)));
    expect(below).toEqual(below.toSorted((a, b) => a - b));
    for (const [i, shade] of below.slice(1).entries()) expect(shade - below[i]!).toBeLessThan(0.35);
    expect(below[2]).toBeLessThan(0.7);
  });

  it('reaches farther in front of a broad base than in front of a leg, and fades out without a visible edge', () => {
    const broad = measure(block, { fromAllAround: true });
    const leg = measure(
      place([
        [0, 0, 200, 160],
        [88, 160, 24, 80],
      ]),
      { fromAllAround: true },
    );
    expect(broad(200, 330)).toBeLessThan(leg(200, 330) - 0.1);
    // Second differences below the contact line itself: a band with an edge would have a jump in its slope.
    for (let y = 327; y < 360; y++) {
      const [above, here, below] = [broad(200, y - 1), broad(200, y), broad(200, y + 1)];
      expect(Math.abs(above - 2 * here + below)).toBeLessThan(0.03);
    }
  });

  it('is narrower around a narrow pot than around a block of the same height', () => {
    const potted = (pot: number): ReturnType<typeof measure> =>
      measure(
        place([
          [0, 0, 200, 100],
          [100 - pot / 2, 100, pot, 140],
        ]),
        { fromAllAround: true },
      );
    expect(potted(30)(200 + 15 + 16, 319)).toBeGreaterThan(potted(200)(200 + 100 + 16, 319) + 0.05);
  });

  it('is absent below parts that are above the ground', () => {
    const at = measure(
      place([
        [0, 0, 120, 240],
        [120, 40, 80, 100],
      ]),
    );
    expect(at(160, 321)).toBeLessThan(0.7);
    expect(at(260, 321)).toBe(1);
    expect(at(260, 221)).toBe(1);
  });

  it('darkens more with a greater strength, and not at all with strength 0', () => {
    const darkest = (strength: number): number => {
      const plate = { ...canvas, data: new Uint8Array(400 * 400 * 3).fill(200) };
      darkenContact(plate, block, strength);
      return plate.data[(320 * 400 + 200) * 3]!;
    };
    expect(darkest(1)).toBeLessThan(darkest(0.5));
    expect(darkest(0.5)).toBeLessThan(200);
    expect(darkest(0)).toBe(200);
  });
});
