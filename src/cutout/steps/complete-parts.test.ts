import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../pixels.ts';
import { completeParts } from './complete-parts.ts';

const SIDE = 240;
const LEFT = 100;
const RIGHT = 140;
/** The strap is solid above this row; below, the engine left it semi-transparent. */
const FADES = 120;
const STRAP = [60, 40, 30];
const GROUND = [215, 215, 195];

const isStrap = (x: number): boolean => x >= LEFT && x < RIGHT;

/** A brown strap from top to bottom, on a bright ground. */
function drawPhoto(below: readonly number[] = STRAP): RgbImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const y = Math.floor(i / SIDE);
    data.set(isStrap(i % SIDE) ? (y < FADES ? STRAP : below) : GROUND, 3 * i);
  }
  return { width: SIDE, height: SIDE, data };
}

/** `veil` is the alpha in the lower half of the strap. */
function drawMatte(veil: number): Matte {
  const data = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    if (!isStrap(i % SIDE)) return 0;
    return i < FADES * SIDE ? 255 : veil;
  });
  return { width: SIDE, height: SIDE, data };
}

const at = ({ data }: Matte, x: number, y: number) => data[y * SIDE + x]!;

describe('a part that the engine left semi-transparent', () => {
  it('becomes solid up to the edge of the photo if it has the color of the product', async () => {
    const matte = await completeParts(drawMatte(90), drawPhoto());
    expect(at(matte, 120, 200)).toBe(255);
    expect(at(matte, LEFT + 2, 200)).toBe(255);
    expect(at(matte, LEFT - 3, 200)).toBe(0);
  });

  it('stays as it is if it has the color of the backdrop', async () => {
    const matte = drawMatte(90);
    expect(await completeParts(matte, drawPhoto(GROUND))).toBe(matte);
  });
});

it('a sharp matte stays as it is', async () => {
  const matte = drawMatte(255);
  expect(await completeParts(matte, drawPhoto())).toBe(matte);
});

it('a semi-transparent area that does not touch the product stays as it is', async () => {
  const { data } = drawMatte(90);
  const alone = { width: SIDE, height: SIDE, data: data.map((alpha) => (alpha === 255 ? 0 : alpha)) };
  expect(await completeParts(alone, drawPhoto())).toBe(alone);
});
