import { describe, expect, it } from 'vitest';
import { hashUnit } from '../noise.ts';
import type { MaterialKind } from '../studio-scene.ts';
import { makeMaterial } from './make-material.ts';

const kinds: readonly MaterialKind[] = [
  'plaster',
  'matte',
  'lacquer',
  'marble',
  'travertine',
  'wood',
  'concrete',
  'terrazzo',
  'linen',
  'sand',
  'stone',
  'satin',
  'water',
  'metal',
  'glass',
  'leaf',
  'petal',
];
const point = (i: number): [number, number, number] => [
  4 * (hashUnit(i * 3) - 0.5),
  2 * hashUnit(i * 3 + 1),
  3 * (hashUnit(i * 3 + 2) - 0.5),
];

describe('materials', () => {
  it('stay within the albedo of real surfaces, everywhere and at every size of pixel', () => {
    const out = new Float64Array(3);
    for (const kind of kinds) {
      const material = makeMaterial({ kind, color: '#ffffff', secondColor: '#000000' });
      for (let i = 0; i < 300; i++) {
        material.paint(...point(i), i % 2 === 0 ? 0.001 : 0.03, out);
        expect(Math.min(...out), kind).toBeGreaterThanOrEqual(0.004);
        expect(Math.max(...out), kind).toBeLessThanOrEqual(0.95);
        expect(Number.isFinite(material.relief?.(...point(i), 0.002) ?? 0), kind).toBe(true);
      }
    }
  });

  it('keep the hue that was asked for in their mean', () => {
    for (const kind of kinds) {
      const [r, g, b] = makeMaterial({ kind, color: '#4f9d6a', chips: ['#4f9d6a'] }).meanAlbedo;
      expect(g, kind).toBeGreaterThan(r!);
      expect(g, kind).toBeGreaterThan(b!);
    }
  });

  it('have texture where they should: the spread of marble, wood and terrazzo is far from none', () => {
    const out = new Float64Array(3);
    for (const kind of ['marble', 'wood', 'terrazzo', 'travertine'] as const) {
      const material = makeMaterial({ kind, color: '#e0d0c0', secondColor: '#5a4a40', chips: ['#335544'] });
      const values = Array.from({ length: 400 }, (_, i) => {
        material.paint(...point(i), 0.003, out);
        return out[1]!;
      });
      expect(Math.max(...values) - Math.min(...values), kind).toBeGreaterThan(0.12);
    }
  });

  it('lose the finest threads of linen where a pixel is wider than they are', () => {
    const out = new Float64Array(3);
    const spread = (finest: number): number => {
      const linen = makeMaterial({ kind: 'linen', color: '#e0d8c8' });
      let change = 0;
      let last = 0;
      for (let i = 0; i < 300; i++) {
        // Steps of a third of a thread.
        linen.paint(i * 0.0024, 0.5, 0, finest, out);
        change += i === 0 ? 0 : Math.abs(out[1]! - last);
        last = out[1]!;
      }
      return change;
    };
    expect(spread(0.01)).toBeLessThan(0.2 * spread(0.0005));
  });
});
