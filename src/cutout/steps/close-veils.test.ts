import { describe, expect, it } from 'vitest';
import type { Matte } from '../../pixels.ts';
import { closeVeils, fadeVeils } from './close-veils.ts';

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

describe('semi-transparent areas (veils)', () => {
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

  it('are left unchanged where alpha is below one half, as in glass and in the hole of a handle', () => {
    const { data } = closeVeils(drawSquare(100));
    expect(data[64 * SIDE + 64]).toBe(100);
  });

  it('are closed on a subject that fills the photo and has no background around it', () => {
    const full: Matte = { width: 20, height: 20, data: new Uint8Array(400).fill(200) };
    expect(Math.min(...closeVeils(full).data)).toBe(255);
  });
});

describe('faint veils outside the subject', () => {
  const side = 512;
  /** A subject left of column 200, and a veil from there to column 300. */
  const draw = (veil: number) => ({
    width: side,
    height: side,
    data: Uint8Array.from({ length: side * side }, (_, i) =>
      i % side < 200 ? 255 : i % side < 300 ? veil : 0,
    ),
  });

  it('stay next to the subject’s edge, and are removed further out', () => {
    const row = fadeVeils(draw(24)).data.subarray(256 * side, 257 * side);
    expect([row[199], row[202], row[240]]).toEqual([255, 24, 0]);
  });

  it('stay if they are strong enough for glass or fur', () => {
    const glass = draw(50);
    expect(fadeVeils(glass).data).toEqual(glass.data);
  });

  it('stay in a matte without a subject', () => {
    const faint = { ...draw(20), data: new Uint8Array(side * side).fill(20) };
    expect(fadeVeils(faint)).toBe(faint);
  });
});
