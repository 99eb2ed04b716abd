import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Correction, ERASE, KEEP, type Point } from '../correction.ts';
import { drawMarks } from './draw-marks.ts';

const grid = { area: { x: 10, y: 20, width: 80, height: 60 }, width: 40, height: 30 };
const nothing: Correction = { parts: [], strokes: [], boxes: [], polygons: [] };
const point = fc.tuple(
  fc.double({ min: -20, max: 120, noNaN: true }),
  fc.double({ min: -20, max: 120, noNaN: true }),
);
const mode = fc.constantFrom('keep', 'erase');
const markOf = (mode: string) => (mode === 'keep' ? KEEP : ERASE);
const onGrid = ([x, y]: Point): Point => [(x - 10) / 2, (y - 20) / 2];

function distanceTo([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const length2 = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = length2 === 0 ? 0 : ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length2;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay));
}

const isInside = ([px, py]: Point, corners: readonly Point[]): boolean =>
  corners.filter(([bx, by], n) => {
    const [ax, ay] = corners.at(n - 1)!;
    return ay <= py !== by <= py && px >= ax + ((py - ay) * (bx - ax)) / (by - ay);
  }).length %
    2 ===
  1;

describe('marks', () => {
  it('of strokes are the pixels whose centers are within the radius of the line, later strokes on top', () => {
    const stroke = fc.record({
      mode,
      radius: fc.double({ min: 0, max: 40, noNaN: true }),
      points: fc.array(point, { minLength: 1, maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(stroke, { maxLength: 4 }), (strokes) => {
        const { seeds } = drawMarks({ ...nothing, strokes } as Correction, grid);
        for (let i = 0; i < seeds.length; i++) {
          const center: Point = [(i % grid.width) + 0.5, Math.floor(i / grid.width) + 0.5];
          let expected = 0;
          let isUnsure = false;
          for (const { mode, radius, points } of strokes) {
            const corners = points.map(onGrid);
            const away = Math.min(
              ...corners.map((to, n) => distanceTo(center, corners[Math.max(0, n - 1)]!, to)),
            );
            const reach = Math.max(Math.SQRT1_2, radius / 2);
            isUnsure ||= Math.abs(away - reach) < 1e-6;
            if (away <= reach) expected = markOf(mode);
          }
          if (!isUnsure) expect(seeds[i]).toBe(expected);
        }
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it('cost no more for many points than for the pixels that they touch', () => {
    // Visiting the whole disc of each point would take minutes.
    const points = Array.from({ length: 20_000 }, (_, i) => [i / 5, (i * 7) % 3_000] as const);
    const strokes = [{ mode: 'keep', radius: 100_000, points }] as const;
    const whole = { area: { x: 0, y: 0, width: 4_000, height: 3_000 }, width: 2_000, height: 1_500 };
    const { seeds } = drawMarks({ ...nothing, strokes }, whole);
    expect(seeds.every((seed) => seed === KEEP)).toBe(true);
  });

  it('of polygons are the pixels whose centers lie inside, by the even-odd rule, later polygons on top', () => {
    const polygon = fc.record({ mode, points: fc.array(point, { minLength: 3, maxLength: 8 }) });
    fc.assert(
      fc.property(fc.array(polygon, { maxLength: 3 }), (polygons) => {
        const { areas } = drawMarks({ ...nothing, polygons } as Correction, grid);
        for (let i = 0; i < areas.length; i++) {
          const center: Point = [(i % grid.width) + 0.5, Math.floor(i / grid.width) + 0.5];
          let expected = 0;
          for (const { mode, points } of polygons)
            if (isInside(center, points.map(onGrid))) expected = markOf(mode);
          expect(areas[i]).toBe(expected);
        }
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it('of boxes are their pixels, and lie below polygons', () => {
    const boxes = [{ mode: 'keep', x: 20, y: 30, width: 20, height: 10 }] as const;
    const triangle = [
      [20, 30],
      [30, 30],
      [20, 40],
    ] as const;
    const polygons = [{ mode: 'erase', points: triangle }] as const;
    const { areas } = drawMarks({ ...nothing, boxes, polygons }, grid);
    const row = (y: number) => [...areas.subarray(y * 40 + 4, y * 40 + 16)].join('');
    expect(row(5)).toBe(`0${String(ERASE).repeat(4)}${String(KEEP).repeat(6)}0`);
    expect(row(10)).toBe('0'.repeat(12));
  });
});
