import { expect, it } from 'vitest';
import { standBoard } from './board-contact.ts';

it('darkens the ground right below a board, and neither the board nor what is farther away', () => {
  const plate = { width: 120, height: 120, data: new Uint8Array(120 * 120 * 3).fill(200) };
  const image = { width: 60, height: 60, data: new Uint8Array(60 * 60 * 4).fill(255) };
  standBoard(plate, { image, x: 30, y: 20 }, 5);
  const at = (x: number, y: number): number => plate.data[(y * 120 + x) * 3]!;
  // The board's lower edge is at row 85.
  expect(at(60, 84)).toBe(200);
  expect(at(60, 85)).toBeLessThan(150);
  expect(at(60, 85)).toBeLessThan(at(60, 88));
  expect(at(60, 110)).toBe(200);
  expect(at(5, 85)).toBe(200);
});
