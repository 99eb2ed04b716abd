import { describe, expect, it } from 'vitest';
import { makeGrid } from './ground/grid.ts';
import { catchShadow } from './shadow-catcher.ts';

/** Side of the canvas; the product's foot is at 0.8 of its height. */
const SIDE = 200;

/** The shadow of a product made of boxes: [left, top, right, bottom] on the canvas. */
function castBoxes(
  boxes: readonly (readonly number[])[],
  azimuthDeg: number | undefined,
  { alpha = 255, side = SIDE, softness = 0.5 } = {},
) {
  const canvas = { width: side, height: side };
  const grid = makeGrid(canvas);
  const x = Math.min(...boxes.map(([left]) => left!));
  const y = Math.min(...boxes.map(([, top]) => top!));
  const [width, height] = [Math.max(...boxes.map(([, , right]) => right!)) - x, 0.8 * side - y];
  const data = new Uint8Array(width * height * 4);
  for (const [left, top, right, bottom] of boxes) {
    for (let row = top! - y; row < bottom! - y; row++) {
      data.fill(alpha, (row * width + left! - x) * 4, (row * width + right! - x) * 4);
    }
  }
  const subject = { image: { width, height, data }, x, y };
  const kept = catchShadow({ canvas, grid, subject, azimuthDeg, strength: 1, softness });
  return (column: number, row: number): number => kept[row * grid.width + column]!;
}

/** A centered block of 50 by 100. */
const cast = (azimuthDeg: number | undefined, alpha = 255) =>
  castBoxes([[75, 60, 125, 160]], azimuthDeg, { alpha });

const fromLeft = cast(-50);

describe('the shadow on the floor', () => {
  it('is wider and weaker far from the foot, the softer it is', () => {
    const block = (azimuthDeg: number | undefined, softness: number) =>
      castBoxes([[75, 60, 125, 160]], azimuthDeg, { softness });
    expect(block(undefined, 1)(140, 159)).toBeLessThan(block(undefined, 0)(140, 159));
    expect(block(-95, 1)(150, 160)).toBeGreaterThan(block(-95, 0)(150, 160));
  });

  it('darkens the ground beside the foot, away from the light', () => {
    expect(fromLeft(130, 154)).toBeLessThan(0.75);
    expect(fromLeft(130, 154)).toBeLessThan(fromLeft(69, 154) - 0.1);
  });

  it('leaves distant ground and everything above the horizon unchanged', () => {
    expect(fromLeft(100, 4)).toBe(1);
    expect(fromLeft(3, 4)).toBe(1);
    expect(fromLeft(3, 197)).toBeGreaterThan(0.99);
  });

  it('has no separate part below the head of a lamp', () => {
    const lamp = castBoxes(
      [
        [80, 296, 160, 320],
        [116, 100, 124, 296],
        [116, 100, 240, 112],
        [190, 100, 240, 150],
      ],
      -95,
      { side: 400 },
    );
    expect(lamp(164, 312)).toBeLessThan(0.85);
    let darkest = 1;
    for (let row = 240; row < 380; row++) {
      for (let column = 210; column < 398; column++) darkest = Math.min(darkest, lamp(column, row));
    }
    expect(darkest).toBeGreaterThan(0.95);
  });

  it('darkens the ground beside a low product, too', () => {
    const low = castBoxes([[120, 260, 280, 320]], -95, { side: 400 });
    expect(low(284, 312)).toBeLessThan(0.65);
    expect(low(300, 300)).toBeLessThan(0.93);
    expect(low(380, 312)).toBeGreaterThan(0.98);
  });

  it('rotates with the light', () => {
    const fromRight = cast(50);
    expect(fromRight(69, 154)).toBeLessThan(fromRight(130, 154) - 0.1);
  });

  it('is symmetric in ambient light', () => {
    const around = cast(undefined);
    expect(around(100, 162)).toBeLessThan(0.9);
    for (const distance of [4, 12, 30]) {
      expect(Math.abs(around(74 - distance, 154) - around(125 + distance, 154))).toBeLessThan(0.04);
    }
  });

  it('is lighter under a translucent product', () => {
    const glass = cast(-50, 140);
    expect(glass(130, 154)).toBeGreaterThan(fromLeft(130, 154) + 0.05);
    expect(glass(130, 154)).toBeLessThan(1);
  });
});
