import { describe, expect, it } from 'vitest';
import type { SubjectFacts } from '../../../packages/cutout/src/subject.ts';
import type { Source } from '../../../packages/photos/src/read-image.ts';
import { judgePhoto } from './judge-photo.ts';

const SIDE = 480;
const facts: SubjectFacts = {
  boundingBox: { x: 0, y: 0, width: SIDE, height: SIDE },
  coverage: 0.5,
  touchesEdges: [],
  confidence: 0.95,
  issues: [],
};
type Draw = (x: number, y: number) => readonly [red: number, green: number, blue: number];

function judge(draw: Draw, isSubject: (x: number, y: number) => boolean, alpha: Uint8Array | null = null) {
  const data = new Uint8Array(SIDE * SIDE * 3);
  const matte = new Uint8Array(SIDE * SIDE);
  for (let i = 0; i < matte.length; i++) {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    data.set(draw(x, y), 3 * i);
    matte[i] = isSubject(x, y) ? 255 : 0;
  }
  const photo: Source = { width: SIDE, height: SIDE, data, alpha, clip: null };
  return judgePhoto(photo, { width: SIDE, height: SIDE, data: matte }, facts);
}

/** Lit from the left, with a little grain, as in a photo. */
const shade = (x: number, y: number) =>
  0.6 + (0.4 * (SIDE - x)) / SIDE + 0.03 * Math.sin(x * 12.9 + y * 78.2);
const gray = (level: number) => [level, level, level] as const;

const inBottle = (x: number, y: number) => Math.abs(x - 240) < (y < 150 ? 22 : 60) && y > 70 && y < 430;
const bottle: Draw = (x, y) =>
  inBottle(x, y)
    ? [60 * shade(2 * x, y), 110 * shade(2 * x, y), 80 * shade(2 * x, y)]
    : gray(235 * shade(x / 3, y));

/** A page of lines, and of words as rows of dots. */
const inWord = (x: number, y: number) =>
  y % 40 > 14 && y % 40 < 24 && x % 80 > 16 && x % 80 < 56 && x % 8 < 5;
const chart: Draw = (x, y) => gray(y % 40 < 2 || x % 80 < 2 || inWord(x, y) ? 20 : 255);

describe('what a photo shows', () => {
  it('changes nothing about a product on a background', () => {
    expect(judge(bottle, inBottle)).toMatchObject({ confidence: 0.95, issues: [] });
  });

  it('is a graphic, whose words a cutout would tear apart', () => {
    const { kind, confidence, issues } = judge(chart, inWord);
    expect(kind).toMatchObject({ name: 'graphic' });
    expect(confidence).toBeLessThan(0.4);
    expect(issues.map(({ code }) => code)).toEqual(['better_uncut']);
  });

  it('is a close-up if the product fills the frame', () => {
    const knit: Draw = (x, y) => [
      150 * shade(x, y),
      (60 + 25 * Math.sin(x / 3)) * shade(x, y),
      50 + 20 * Math.sin(y / 3),
    ];
    expect(judge(knit, (x, y) => x + y > 160).kind).toMatchObject({ name: 'close_up' });
  });

  it('is certainly a cutout if it comes with one', () => {
    const alpha = new Uint8Array(SIDE * SIDE).fill(255);
    expect(judge(bottle, inBottle, alpha).kind).toEqual({ name: 'cut_out', probability: 1 });
  });
});

it.each([
  [16, 6000],
  [6000, 16],
])('a photo of %i × %i pixels has a kind, too', (width, height) => {
  const data = new Uint8Array(width * height * 3).fill(90);
  const matte = { width, height, data: new Uint8Array(width * height).fill(255) };
  const { kind } = judgePhoto({ width, height, data, alpha: null, clip: null }, matte, facts);
  expect(kind?.name).toBeTypeOf('string');
  expect(kind?.probability).toBeGreaterThan(0);
});
