import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import { followPhotoEdges } from './follow-photo-edges.ts';

/** A disc with sharp edges; `level` is 255 in the disc and 0 outside. */
function drawDisc(side: number, color: (level: number) => readonly [number, number, number]): RgbImage {
  const data = new Uint8Array(side * side * 3);
  for (let i = 0; i < side * side; i++) data.set(color(discAt(i, side)), i * 3);
  return { width: side, height: side, data };
}

function discAt(i: number, side: number): number {
  const x = (i % side) + 0.5 - side / 2;
  const y = Math.floor(i / side) + 0.5 - side / 2;
  return Math.hypot(x, y) < side * 0.3 ? 255 : 0;
}

/** The disc as seen by a pass whose pixels span `step` photo pixels, with a soft edge. */
function lookCoarsely(side: number, step: number): Matte {
  const width = side / step;
  const data = new Uint8Array(width * width);
  const reach = step * 1.5;
  for (let i = 0; i < data.length; i++) {
    const x = ((i % width) + 0.5) * step - side / 2;
    const y = (Math.floor(i / width) + 0.5) * step - side / 2;
    const depth = (side * 0.3 - Math.hypot(x, y)) / reach;
    data[i] = Math.round(255 * Math.min(1, Math.max(0, 0.5 + depth / 2)));
  }
  return { width, height: width, data };
}

const side = 256;
const redOnWhite = (level: number) => (level > 0 ? ([190, 30, 40] as const) : ([240, 238, 235] as const));

function measureError({ width, data }: Matte): number {
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += Math.abs(data[i]! - discAt(i, width));
  return sum / data.length;
}

/** The result for an evenly gray photo, which has no edges to follow. */
const onGrey = () =>
  followPhotoEdges(
    lookCoarsely(side, 4),
    drawDisc(side, () => [128, 128, 128]),
  );

describe('following the edges in the photo', () => {
  it('returns twice the resolution of the pass', async () => {
    const { width, height, data } = await onGrey();
    expect([width, height, data.length]).toEqual([128, 128, 128 ** 2]);
  });

  it('places the outline where the photo changes', async () => {
    const followed = await followPhotoEdges(lookCoarsely(side, 4), drawDisc(side, redOnWhite));
    expect(measureError(followed)).toBeLessThan(0.4 * measureError(await onGrey()));
  });

  it('changes nothing far from the outline', async () => {
    const busy = drawDisc(side, redOnWhite);
    for (let i = 0; i < busy.data.length; i += 7) busy.data[i] = 90;
    const { data, width } = await followPhotoEdges(lookCoarsely(side, 4), busy);
    expect(data[64 * width + 64]).toBe(255);
    expect(data[5 * width + 5]).toBe(0);
  });

  it('never returns more pixels than the photo has', async () => {
    const small = drawDisc(40, redOnWhite);
    expect(await followPhotoEdges(lookCoarsely(side, 4), small)).toMatchObject({ width: 40, height: 40 });
  });
});
