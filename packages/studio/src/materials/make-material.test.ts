import { describe, expect, it } from 'vitest';
import { hashUnit } from '../noise.ts';
import type { Material as MaterialKind } from '../scene-plan.ts';
import { makeMaterial } from './make-material.ts';
import type { Paint } from './material.ts';

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
  'leaf',
  'petal',
];
const point = (i: number): [number, number, number] => [
  4 * (hashUnit(i * 3) - 0.5),
  2 * hashUnit(i * 3 + 1),
  3 * (hashUnit(i * 3 + 2) - 0.5),
];

describe('materials', () => {
  it('stay within the albedo of real surfaces at every position and pixel size', () => {
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

  it('keep the requested hue in their mean', () => {
    for (const kind of kinds) {
      const [r, g, b] = makeMaterial({ kind, color: '#4f9d6a', chips: ['#4f9d6a'] }).meanAlbedo;
      expect(g, kind).toBeGreaterThan(r!);
      expect(g, kind).toBeGreaterThan(b!);
    }
  });

  it('have texture: the brightness of marble, wood, terrazzo and travertine varies widely', () => {
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

  it('vary across the grain of boards more than along it, whichever way the boards are turned', () => {
    const variation = (boardTurn: number, alongX: boolean): number => {
      const { paint } = makeMaterial({ kind: 'wood', color: '#b09a80', plankWidth: 2, boardTurn });
      const out = new Float64Array(3);
      let sum = 0;
      let last: number | undefined;
      for (let i = 0; i < 200; i++) {
        const at = 0.3 + 0.002 * i;
        paint(alongX ? at : 0.3, 0, alongX ? 0.3 : at, 0.002, out);
        sum += last === undefined ? 0 : Math.abs(out[1]! - last);
        last = out[1]!;
      }
      return sum;
    };
    expect(variation(0, false)).toBeGreaterThan(3 * variation(0, true));
    expect(variation(Math.PI / 2, true)).toBeGreaterThan(3 * variation(Math.PI / 2, false));
  });

  it('show the joint of two boards equally, in color and relief, for any alignment of the pixel grid', () => {
    const plankWidth = 0.45;
    const { paint, relief } = makeMaterial({ kind: 'wood', color: '#c0a080', plankWidth });
    const out = new Float64Array(3);
    const finest = 0.03;
    // The largest step of the relief between pixels around the joint, for pixel grids shifted by tenths of a pixel.
    const steps: number[] = [];
    const darkest: number[] = [];
    for (let phase = 0; phase < 1; phase += 0.1) {
      let [step, dark] = [0, 1];
      for (let pixel = -4; pixel <= 4; pixel++) {
        const at = plankWidth / 2 + (pixel + phase) * finest;
        paint(0.3, 0, at, finest, out);
        dark = Math.min(dark, out[1]!);
        const rise = relief!(0.3, 0, at + 1.6 * finest, finest) - relief!(0.3, 0, at, finest);
        step = Math.max(step, Math.abs(rise));
      }
      steps.push(step);
      darkest.push(dark);
    }
    expect(Math.max(...steps)).toBeLessThan(1.3 * Math.min(...steps));
    expect(Math.min(...darkest)).toBeGreaterThan(0.7 * Math.max(...darkest));
  });

  it('lay slabs whose joints are dark, and which differ in brightness', () => {
    const slabs = { width: 1.5, turn: 0, from: [0, 0] } as const;
    const { paint } = makeMaterial({ kind: 'stone', color: '#a09a90', slabs });
    const out = new Float64Array(3);
    /** Mean green along a line across the view at a depth; taking the mean removes the grain. */
    const rowAt = (z: number, fromX: number, toX: number): number => {
      let sum = 0;
      for (let i = 0; i < 200; i++) {
        paint(fromX + ((toX - fromX) * i) / 200, 0, z, 0.004, out);
        sum += out[1]! / 200;
      }
      return sum;
    };
    const middle = rowAt(0.5, 0.2, 3);
    expect(rowAt(0, 0.2, 3)).toBeLessThan(0.65 * middle);
    expect(rowAt(0.06, 0.2, 3)).toBeGreaterThan(0.85 * middle);
    const each = Array.from({ length: 8 }, (_, i) => rowAt(0.5 + 0.99 * i, 0.2, 0.6));
    expect(Math.max(...each) / Math.min(...each)).toBeGreaterThan(1.05);
  });

  it('stagger the ends of a floor’s boards, whose joints are fainter than those of a table', () => {
    const make = (plankLength?: number) =>
      makeMaterial({
        kind: 'wood',
        color: '#c0a080',
        plankWidth: 0.1,
        ...(plankLength === undefined ? {} : { plankLength }),
      });
    const out = new Float64Array(3);
    /** Positions of the joints between the ends of boards in one row: points darker than their surroundings. */
    const endsOf = ({ paint }: ReturnType<typeof make>, row: number): number[] => {
      const green = Array.from({ length: 3000 }, (_, i) => {
        paint(i / 1000, 0, row * 0.1, 0.0005, out);
        return out[1]!;
      });
      return green.flatMap((value, i) => {
        const around = ((green[i - 6] ?? value) + (green[i + 6] ?? value)) / 2;
        return value < 0.75 * around ? [i / 1000] : [];
      });
    };
    const first = endsOf(make(1), 3);
    const second = endsOf(make(1), 4);
    expect(first.length).toBeGreaterThan(0);
    expect(second.length).toBeGreaterThan(0);
    expect(Math.abs((first[0]! % 1) - (second[0]! % 1))).toBeGreaterThan(0.01);
    const darkestJoint = (material: ReturnType<typeof make>): number =>
      Math.min(
        ...Array.from({ length: 60 }, (_, i) => {
          material.paint(0.37, 0, 0.13 + i / 1000, 0.002, out);
          return out[1]!;
        }),
      );
    expect(darkestJoint(make(1))).toBeGreaterThan(1.1 * darkestJoint(make()));
  });

  it('stay near the requested color if they are made with only one color', () => {
    for (const kind of [
      'plaster',
      'matte',
      'lacquer',
      'concrete',
      'linen',
      'sand',
      'stone',
      'satin',
    ] as const) {
      const color = '#b09a80';
      // Metal has no texture, so its mean is the requested color.
      const [, base] = makeMaterial({ kind: 'metal', color }).meanAlbedo;
      const [, mean] = makeMaterial({ kind, color }).meanAlbedo;
      expect(mean! / base!, kind).toBeGreaterThan(0.85);
      expect(mean! / base!, kind).toBeLessThan(1.1);
    }
  });

  it('tint water by its depth, from the color of the bed to that of the water', () => {
    const { paint } = makeMaterial({ kind: 'water', color: '#204080' });
    const blueness = [0.1, 0.5, 3].map((depth) => {
      const out = new Float64Array(3);
      paint(0.4, -depth, 0.3, 0.003, out);
      return out[2]! / out[0]!;
    });
    expect(blueness[0]).toBeLessThan(1);
    expect(blueness[1]).toBeGreaterThan(blueness[0]!);
    expect(blueness[2]).toBeGreaterThan(5);
  });

  it('look the same at every picture size: pixels have about the mean and contrast of the areas they cover', () => {
    for (const kind of textured) {
      const material = makeMaterial({ kind, color: '#d8c8b4', secondColor: '#7a6a5c', chips: ['#335544'] });
      for (const finest of [0.003, 0.012]) {
        const seen = measure(material.paint, finest, 1);
        const covered = measure(material.paint, finest, 6);
        expect(Math.abs(seen.mean / covered.mean - 1), `mean of ${kind} at ${finest}`).toBeLessThan(0.02);
        // A contrast above that of the averaged area would be aliasing; it must not be much lower, either.
        expect(seen.contrast / covered.contrast, `contrast of ${kind} at ${finest}`).toBeLessThan(1.1);
        expect(seen.contrast / covered.contrast, `contrast of ${kind} at ${finest}`).toBeGreaterThan(0.4);
      }
    }
  });

  it('gain no contrast as pixels grow', () => {
    for (const kind of textured) {
      const { paint } = makeMaterial({ kind, color: '#d8c8b4', secondColor: '#7a6a5c', chips: ['#335544'] });
      const near = measure(paint, 0.0005, 1).contrast;
      const middle = measure(paint, 0.02, 1).contrast;
      expect(middle, kind).toBeLessThan(near * 1.02);
      expect(measure(paint, 0.2, 1).contrast, kind).toBeLessThan(middle * 1.02);
    }
  });

  it('show no threads of linen, pores of wood or ripples of sand that are smaller than a pixel', () => {
    const steps = (kind: MaterialKind, finest: number): number => {
      const { paint, relief } = makeMaterial({ kind, color: '#e0d8c8' });
      const out = new Float64Array(3);
      let change = 0;
      let last: number | undefined;
      for (let i = 0; i < 400; i++) {
        // Steps of a quarter of a thread, across the grain.
        paint(0.3, 0.5 + i * 0.001, 0, finest, out);
        const value = out[1]! + (relief?.(0.3, 0.5 + i * 0.001, 0, finest) ?? 0) * 0.1;
        change += Math.abs(value - (last ?? value));
        last = value;
      }
      return change;
    };
    for (const kind of ['linen', 'wood', 'sand'] as const) {
      expect(steps(kind, 0.05), kind).toBeLessThan(0.35 * steps(kind, 0.0005));
    }
  });

  it('are translated as a whole by `cutFrom`', () => {
    const settings = { kind: 'marble', color: '#f4f2ef', secondColor: '#85878d' } as const;
    const [here, there] = [new Float64Array(3), new Float64Array(3)];
    makeMaterial(settings).paint(1.5, 0.2, -0.5, 0.003, here);
    makeMaterial({ ...settings, cutFrom: [1, 0, -1] }).paint(0.5, 0.2, 0.5, 0.003, there);
    expect(there).toEqual(here);
  });

  it('give the boards of a floor different tones', () => {
    const { paint } = makeMaterial({
      kind: 'wood',
      color: '#c1925f',
      secondColor: '#85582f',
      plankWidth: 0.5,
    });
    const out = new Float64Array(3);
    const tones = Array.from({ length: 12 }, (_, board) => {
      let sum = 0;
      for (let i = 0; i < 200; i++) {
        paint(4 * hashUnit(i) - 2, 0, (board + 0.1 + 0.8 * hashUnit(i + 999)) * 0.5, 0.004, out);
        sum += out[1]! / 200;
      }
      return sum;
    });
    expect(Math.max(...tones) / Math.min(...tones)).toBeGreaterThan(1.12);
  });
});

const textured = [
  'plaster',
  'marble',
  'travertine',
  'wood',
  'concrete',
  'terrazzo',
  'linen',
  'sand',
  'stone',
  'water',
] as const;

/** Mean, and standard deviation relative to it, of 500 pixels of a floor, each of `side` × `side` samples. */
function measure(paint: Paint, finest: number, side: number): { mean: number; contrast: number } {
  const out = new Float64Array(3);
  const values = Array.from({ length: 500 }, (_, i) => {
    const [x, , z] = point(i);
    let sum = 0;
    for (let k = 0; k < side * side; k++) {
      const dx = (((k % side) + 0.5) / side - 0.5) * finest;
      const dz = ((Math.floor(k / side) + 0.5) / side - 0.5) * finest;
      paint(x + dx, 0.2, z + dz, finest / side, out);
      sum += out[1]!;
    }
    return sum / (side * side);
  });
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, contrast: Math.sqrt(variance) / mean };
}
