import { describe, expect, it } from 'vitest';
import type { Matte } from '../../pixels.ts';
import { closeVeils } from './close-veils.ts';

const SIDE = 128;

/** A square of 80 px with a soft rim; `inside` is the alpha of its center. */
function drawSquare(inside: number): Matte {
  const data = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const depth = Math.min(
      (i % SIDE) - 24,
      103 - (i % SIDE),
      Math.floor(i / SIDE) - 24,
      103 - Math.floor(i / SIDE),
    );
    if (depth < 0) return 0;
    if (depth === 0) return 60;
    if (depth === 1) return 200;
    return depth > 20 ? inside : 255;
  });
  return { width: SIDE, height: SIDE, data };
}

describe('veils', () => {
  it('are closed deep inside the subject', () => {
    const { data } = closeVeils(drawSquare(180));
    expect(data[64 * SIDE + 64]).toBe(255);
  });

  it('are left unchanged at the soft rim', () => {
    const square = drawSquare(180);
    const { data } = closeVeils(square);
    expect([...data.subarray(64 * SIDE, 64 * SIDE + 27)]).toEqual([
      ...square.data.subarray(64 * SIDE, 64 * SIDE + 27),
    ]);
  });

  it('are left unchanged where alpha is below one half: glass, and the holes of a handle', () => {
    const { data } = closeVeils(drawSquare(100));
    expect(data[64 * SIDE + 64]).toBe(100);
  });

  it('are closed on a subject that fills the photo and has no background around it', () => {
    const full: Matte = { width: 20, height: 20, data: new Uint8Array(400).fill(200) };
    expect(Math.min(...closeVeils(full).data)).toBe(255);
  });
});
