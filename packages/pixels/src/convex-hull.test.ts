import { expect, it } from 'vitest';
import { findHull, measureHull } from './convex-hull.ts';

it('leaves out the points inside and those on an edge', () => {
  const hull = findHull([
    [2, 2],
    [0, 0],
    [4, 0],
    [2, 0],
    [4, 4],
    [0, 4],
    [1, 3],
  ]);
  expect(new Set(hull.map(String))).toEqual(new Set(['0,0', '4,0', '4,4', '0,4']));
  expect(measureHull(hull)).toBe(16);
});

it('measures the area of a hull that is not a rectangle', () => {
  expect(
    measureHull(
      findHull([
        [0, 0],
        [6, 0],
        [0, 4],
        [1, 1],
      ]),
    ),
  ).toBe(12);
});
