import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { splitAlpha } from '../../photos/src/photo-alpha.ts';
import { cutPhoto } from './cut-photo.ts';
import { openKeyer } from './engines/keyer.ts';
import { drawBall } from './removal-engine.contract.ts';

const signal = new AbortController().signal;
const WIDTH = 300;
const HEIGHT = 200;

/** A red ball on pale paper, in a picture of this shape; a share of 1 is opaque. */
function ballIn(
  isVisible: (x: number, y: number) => boolean | number,
  wish: 'auto' | 'ignore' | 'keep' = 'auto',
) {
  const { data: colors } = drawBall(WIDTH, HEIGHT);
  const data = new Uint8Array(WIDTH * HEIGHT * 4);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    data.set(colors.subarray(3 * i, 3 * i + 3), 4 * i);
    data[4 * i + 3] = 255 * Number(isVisible(i % WIDTH, Math.floor(i / WIDTH)));
  }
  return splitAlpha({ width: WIDTH, height: HEIGHT, data }, wish);
}

/** Turned by 1°. */
const straightened = (x: number, y: number) => {
  const [dx, dy] = [x + 0.5 - WIDTH / 2, y + 0.5 - HEIGHT / 2];
  return Math.abs(dx + 0.0175 * dy) < WIDTH / 2 && Math.abs(dy - 0.0175 * dx) < HEIGHT / 2;
};
/** With round corners of 30 px. */
const rounded = (x: number, y: number) => {
  const past = (at: number, size: number) => Math.max(0, Math.abs(at + 0.5 - size / 2) - (size / 2 - 30));
  return Math.hypot(past(x, WIDTH), past(y, HEIGHT)) < 30;
};
/** Fades toward the corners. */
const vignette = (x: number, y: number) =>
  Math.min(1, Math.max(0, 4 * (1.25 - Math.hypot((2 * x) / WIDTH - 1, (2 * y) / HEIGHT - 1))));
const inMargin = (x: number, y: number) => x >= 20 && x < 280 && y >= 10 && y < 190;
const readAlpha = async (png: Uint8Array) => sharp(png).extractChannel(3).raw().toBuffer();
const shareOf = (alpha: Uint8Array) => alpha.reduce((sum, a) => sum + a, 0) / 255 / alpha.length;

describe('a photo with transparency', () => {
  it.each([
    ['straightened', straightened, 'auto'],
    ['straightened', straightened, 'ignore'],
    ['of round corners', rounded, 'auto'],
    ['of round corners', rounded, 'ignore'],
    ['softly vignetted', vignette, 'auto'],
    ['in a transparent margin', inMargin, 'ignore'],
  ] as const)('is cut out like any other if it is %s', async (_, isVisible, alpha) => {
    const engine = await openKeyer();
    const whole = await cutPhoto(
      ballIn(() => true),
      engine,
      { signal },
    );
    const made = await cutPhoto(ballIn(isVisible, alpha), engine, { signal, alpha });
    expect(Math.abs(made.subject.coverage - whole.subject.coverage)).toBeLessThan(0.02);
  });

  it('shows nothing that it hid', async () => {
    const half = ballIn((x) => x < 150);
    const { cutoutPng } = await cutPhoto(half, await openKeyer(), { signal });
    const alpha = await readAlpha(cutoutPng);
    expect(half.clip!.every((visible, i) => alpha[i]! <= visible)).toBe(true);
    expect(shareOf(alpha)).toBeGreaterThan(0.02);
  });

  it('keeps its own edge if the engine finds what was cut out already', async () => {
    const { boundingBox } = (
      await cutPhoto(
        ballIn(() => true),
        await openKeyer(),
        { signal },
      )
    ).subject;
    const [x0, y0] = [boundingBox.x + boundingBox.width / 2, boundingBox.y + boundingBox.height / 2];
    const cutout = ballIn((x, y) => Math.hypot(x + 0.5 - x0, y + 0.5 - y0) < boundingBox.width / 2);
    expect(cutout.clip).not.toBeNull();
    const { cutoutPng } = await cutPhoto(cutout, await openKeyer(), { signal });
    expect(new Uint8Array(await readAlpha(cutoutPng))).toEqual(cutout.clip);
  });
});

it('leaves a photo whole on request, without running the engine', async () => {
  const engine = { ...(await openKeyer()), predictMatte: () => Promise.reject(new Error('not expected')) };
  const { cutoutPng, subject } = await cutPhoto(
    ballIn(() => true),
    engine,
    { signal, cutout: 'none' },
  );
  expect(shareOf(await readAlpha(cutoutPng))).toBe(1);
  expect(subject).toMatchObject({ coverage: 1, touchesEdges: [], isUncut: true });
});
