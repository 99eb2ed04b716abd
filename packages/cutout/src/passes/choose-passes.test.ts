import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../photos/src/read-image.ts';
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import { cutSubject } from '../cut-subject.ts';
import type { RemovalEngine, Resolution } from '../removal-engine.ts';

const signal = new AbortController().signal;
const SIZE = 400;

type Color = readonly [number, number, number];
const gray: Color = [150, 150, 150];
const paper: Color = [240, 240, 240];
const red: Color = [220, 20, 20];
const orange: Color = [220, 120, 20];

/** `colorAt` gets pixel coordinates of a square photo. */
function paint(colorAt: (x: number, y: number) => Color): Source {
  const data = new Uint8Array(SIZE * SIZE * 3);
  for (let i = 0; i < SIZE * SIZE; i++) data.set(colorAt(i % SIZE, Math.floor(i / SIZE)), i * 3);
  return { width: SIZE, height: SIZE, data, alpha: null, clip: null };
}

const isIn = (x: number, y: number, left: number, top: number, width: number, height: number): boolean =>
  x >= left && x < left + width && y >= top && y < top + height;

/** A red body with an orange center. */
const withPanel = paint((x, y) =>
  isIn(x, y, 160, 160, 80, 80) ? orange : isIn(x, y, 120, 100, 160, 200) ? red : gray,
);
const onPaper = paint((x, y) =>
  isIn(x, y, 160, 160, 80, 80) ? orange : isIn(x, y, 120, 100, 160, 200) ? red : paper,
);
/** Red above, orange below. */
const twoColored = paint((x, y) =>
  isIn(x, y, 150, 20, 100, 40) ? red : isIn(x, y, 150, 60, 100, 320) ? orange : gray,
);

/** Opens an engine that detects red, and also orange if `seesOrange` is true for the resolution. */
function openEngine(seesOrange: (resolution: Resolution) => boolean, orangeAlpha = 255) {
  const asked: (readonly [Resolution, number])[] = [];
  const engine: RemovalEngine = {
    id: 'test',
    version: 'test-1',
    resolutions: { coarseShare: 0.25, measureShapedShare: () => 1 },
    async predictMatte(photo: RgbImage, { resolution = 'full' }): Promise<Matte> {
      asked.push([resolution, photo.width]);
      const data = new Uint8Array(photo.width * photo.height);
      for (let i = 0; i < data.length; i++) {
        const [r, g, b] = [photo.data[i * 3]!, photo.data[i * 3 + 1]!, photo.data[i * 3 + 2]!];
        const isOrange = g > b + 40;
        if (r > b + 60 && (!isOrange || seesOrange(resolution))) data[i] = isOrange ? orangeAlpha : 255;
      }
      return { width: photo.width, height: photo.height, data };
    },
    close: async () => undefined,
  };
  return { engine, asked };
}

async function readMatte(mattePng: Uint8Array) {
  const data = await sharp(mattePng).extractChannel(0).raw().toBuffer();
  return (x: number, y: number) => data[y * SIZE + x]!;
}

describe('the passes of quality mode', () => {
  it('are only a coarse one and one over the part with the subject if these two agree', async () => {
    const { engine, asked } = openEngine(() => true);
    const { subject, timings } = await cutSubject(withPanel, engine, { signal });
    expect(asked).toEqual([
      ['coarse', SIZE],
      ['full', 240],
    ]);
    expect(subject.boundingBox).toMatchObject({ width: 160, height: 200 });
    expect(subject.confidence).toBeGreaterThan(0.8);
    expect(timings.map(({ step }) => step)).toEqual([
      'coarse-pass',
      'close-pass',
      'compare-passes',
      'refine-matte',
      'enlarge-matte',
      'sharpen-edges',
      'subject-facts',
      'clean-edges',
      'encode-cutout',
    ]);
  });

  it('continue with the whole photo if the first two disagree, and reuse the closer pass', async () => {
    const { engine, asked } = openEngine((resolution) => resolution === 'full');
    const { mattePng } = await cutSubject(withPanel, engine, { signal });
    expect(asked).toEqual([
      ['coarse', SIZE],
      ['full', 240],
      ['full', SIZE],
    ]);
    expect((await readMatte(mattePng))(200, 200)).toBe(255);
  });

  it('continue with the whole photo if the matte is soft, even if the first two agree', async () => {
    const { engine, asked } = openEngine(() => true, 200);
    await cutSubject(withPanel, engine, { signal });
    expect(asked.slice(2)).toEqual([['full', SIZE]]);
  });

  it('use one other exposure if the matte is soft on bright paper, even if the first two agree', async () => {
    const { engine, asked } = openEngine(() => true, 200);
    const { timings } = await cutSubject(onPaper, engine, { signal });
    const whole = asked.filter(([resolution, width]) => resolution === 'full' && width === SIZE);
    expect(whole).toHaveLength(1);
    expect(timings.map(({ step }) => step)).toContain('exposures');
  });

  it('continue with the whole photo on bright paper, too, if the first two disagree and the closer one is sharp', async () => {
    const { engine, asked } = openEngine((resolution) => resolution === 'coarse');
    const { timings } = await cutSubject(onPaper, engine, { signal });
    expect(asked.filter(([resolution]) => resolution === 'full')).toEqual([
      ['full', 240],
      ['full', SIZE],
    ]);
    expect(timings.map(({ step }) => step)).not.toContain('exposures');
  });

  it('do not stretch a long subject to a square in the closer one', async () => {
    const { engine, asked } = openEngine(() => true);
    await cutSubject(twoColored, engine, { signal });
    expect(asked[1]?.[0]).toBe('shaped');
  });

  it('continue with the whole photo if the subject extends beyond the part that the closer one covers', async () => {
    const { engine, asked } = openEngine((resolution) => resolution !== 'coarse');
    const { mattePng } = await cutSubject(twoColored, engine, { signal });
    expect(asked).toEqual([
      ['coarse', SIZE],
      ['shaped', 150],
      ['full', SIZE],
    ]);
    const alphaAt = await readMatte(mattePng);
    expect([alphaAt(200, 40), alphaAt(200, 300), alphaAt(40, 300)]).toEqual([255, 255, 0]);
  });

  it('skip the third pass if there is no time, and give the same matte when the cut is repeated', async () => {
    const { engine, asked } = openEngine((resolution) => resolution === 'full');
    const extent = { leaveOut: ['whole-pass'] } as const;
    const { leftOut, mattePng } = await cutSubject(withPanel, engine, { signal, extent });
    expect(leftOut).toEqual(['whole-pass']);
    expect(asked).toHaveLength(2);
    expect((await readMatte(mattePng))(200, 200)).toBe(255);
    const known = new Map<string, Matte>();
    await cutSubject(withPanel, engine, { signal, known });
    const again = await cutSubject(withPanel, engine, { signal, extent, known });
    expect(again.mattePng.equals(mattePng)).toBe(true);
  });
});
