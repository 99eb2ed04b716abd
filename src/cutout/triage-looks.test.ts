import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Source } from '../designs/read-image.ts';
import type { Matte, RgbImage } from '../pixels.ts';
import { cutSubject } from './cut-subject.ts';
import type { RemovalEngine, Resolution } from './removal-engine.ts';

const signal = new AbortController().signal;
const SIZE = 400;

type Color = readonly [number, number, number];
const gray: Color = [150, 150, 150];
const red: Color = [220, 20, 20];
const orange: Color = [220, 120, 20];

/** `colorAt` takes pixels of a square photo. */
function paint(colorAt: (x: number, y: number) => Color): Source {
  const data = new Uint8Array(SIZE * SIZE * 3);
  for (let i = 0; i < SIZE * SIZE; i++) data.set(colorAt(i % SIZE, Math.floor(i / SIZE)), i * 3);
  return { width: SIZE, height: SIZE, data, alpha: null };
}

const isIn = (x: number, y: number, left: number, top: number, width: number, height: number): boolean =>
  x >= left && x < left + width && y >= top && y < top + height;

/** A red body with an orange half. */
const twoColored = paint((x, y) =>
  isIn(x, y, 120, 100, 160, 100) ? red : isIn(x, y, 120, 200, 160, 100) ? orange : gray,
);

interface Asked {
  readonly resolution: Resolution;
  readonly width: number;
}

/** Sees what is red, and what is orange at the resolutions that `seesOrange`. */
function openEngine(seesOrange: (resolution: Resolution) => boolean) {
  const asked: Asked[] = [];
  const engine: RemovalEngine = {
    id: 'test',
    version: 'test-1',
    lookShares: { medium: 0.5, coarse: 0.25 },
    async predictMatte(photo: RgbImage, { resolution = 'full' }): Promise<Matte> {
      asked.push({ resolution, width: photo.width });
      const data = new Uint8Array(photo.width * photo.height);
      for (let i = 0; i < data.length; i++) {
        const [r, g, b] = [photo.data[i * 3]!, photo.data[i * 3 + 1]!, photo.data[i * 3 + 2]!];
        const isOrange = g > b + 40;
        if (r > b + 60 && (!isOrange || seesOrange(resolution))) data[i] = 255;
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

describe('the looks of quality mode', () => {
  it('are a coarse one and one at the subject’s part where both agree', async () => {
    const { engine, asked } = openEngine(() => true);
    const { subject, timings } = await cutSubject(twoColored, engine, { signal });
    expect(asked).toEqual([
      { resolution: 'coarse', width: SIZE },
      { resolution: 'full', width: 240 },
    ]);
    expect(subject.boundingBox).toMatchObject({ width: 160, height: 200 });
    expect(subject.confidence).toBeGreaterThan(0.8);
    expect(timings.map(({ step }) => step)).not.toContain('other-opinions');
  });

  it('are more where they disagree, and bring back the part that the others see', async () => {
    const { engine, asked } = openEngine((resolution) => resolution !== 'full');
    const { mattePng, timings } = await cutSubject(twoColored, engine, { signal });
    expect(asked.map(({ resolution }) => resolution)).toEqual(['coarse', 'full', 'full', 'medium', 'coarse']);
    expect(timings.map(({ step }) => step)).toContain('other-opinions');
    const alphaAt = await readMatte(mattePng);
    expect([alphaAt(200, 150), alphaAt(200, 250)]).toEqual([255, 255]);
    expect([alphaAt(60, 250), alphaAt(200, 340)]).toEqual([0, 0]);
  });

  it('are at all of the photo where the subject goes on beyond the part', async () => {
    const { engine, asked } = openEngine((resolution) => resolution === 'full');
    const { mattePng } = await cutSubject(
      paint((x, y) => (isIn(x, y, 150, 20, 100, 40) ? red : isIn(x, y, 150, 60, 100, 320) ? orange : gray)),
      engine,
      { signal },
    );
    expect(asked.slice(0, 3)).toEqual([
      { resolution: 'coarse', width: SIZE },
      { resolution: 'full', width: 150 },
      { resolution: 'full', width: SIZE },
    ]);
    expect((await readMatte(mattePng))(200, 40)).toBe(255);
  });

  it('say which part they dispute where the time for more was lacking', async () => {
    const { engine } = openEngine((resolution) => resolution !== 'full');
    const { leftOut, subject } = await cutSubject(twoColored, engine, {
      signal,
      extent: { leaveOut: ['other-opinions'] },
    });
    expect(leftOut).toEqual(['other-opinions']);
    const issue = subject.issues.find(({ code }) => code === 'uncertain_outline');
    expect(issue?.box?.y).toBeGreaterThan(180);
    expect(issue?.detail).toContain('disagree here');
  });
});
