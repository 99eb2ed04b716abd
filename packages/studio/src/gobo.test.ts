import { describe, expect, it } from 'vitest';
import { keyAxes, makeTransmission } from './gobo.ts';
import { hashUnit } from './noise.ts';
import type { Gobo, KeyLight } from './studio-scene.ts';

const key: KeyLight = { az: -45, el: 40, angularRadius: 1, color: [1, 1, 1], intensity: 1 };
const frame = { target: [0.2, 0.8, -1.5], distance: 2, leak: 0.1, scale: 1, turn: 0.1 } as const;
const gobos: readonly Gobo[] = [
  { ...frame, kind: 'window', columns: 2, rows: 3, paneWidth: 0.75, paneHeight: 0.72, bar: 0.08 },
  { ...frame, kind: 'palm', fronds: 3, directionDeg: 0, seed: 5 },
  { ...frame, kind: 'blinds', period: 0.25, open: 0.5 },
  { ...frame, kind: 'foliage', leafSize: 0.2, density: 0.45, seed: 4 },
  { ...frame, kind: 'slit', width: 0.8, softness: 0.1 },
];

describe('gobos', () => {
  it('transmit at least their leak and at most all of the light, and reach both limits near the target', () => {
    const w = keyAxes(key).direction;
    for (const gobo of gobos) {
      const pass = makeTransmission(gobo, key);
      const values = Array.from({ length: 2000 }, (_, i) =>
        pass(0.2 + 2 * (hashUnit(i * 3) - 0.5), 0.8 + 2 * (hashUnit(i * 3 + 1) - 0.5), -1.5, ...w),
      );
      expect(Math.min(...values), gobo.kind).toBeCloseTo(0.1, 2);
      expect(Math.max(...values), gobo.kind).toBeCloseTo(1, 2);
    }
  });

  it('have the same transmission everywhere along a light ray', () => {
    const w = keyAxes(key).direction;
    for (const gobo of gobos) {
      const pass = makeTransmission(gobo, key);
      const here = pass(0.3, 0.7, -1.2, ...w);
      expect(pass(0.3 + 0.4 * w[0], 0.7 + 0.4 * w[1], -1.2 + 0.4 * w[2], ...w), gobo.kind).toBeCloseTo(
        here,
        6,
      );
    }
  });

  it('cast the crossing of a window’s bars onto the target', () => {
    const [window] = gobos;
    const centered = makeTransmission(
      { ...(window as Extract<Gobo, { kind: 'window' }>), rows: 2, turn: 0 },
      key,
    );
    const w = keyAxes(key).direction;
    expect(centered(0.2, 0.8, -1.5, ...w)).toBeCloseTo(0.1, 6);
  });
});
