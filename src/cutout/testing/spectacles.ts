/** A drawn photo of glass with known transparency, and of things that only resemble glass. */
import type { Matte, RgbImage } from '../../pixels.ts';

export const WIDTH = 320;
export const HEIGHT = 200;
const LENS_X = [100, 220];
const LENS_Y = 100;
const RADIUS = 46;
const FRAME = 5;
/** Share of light that the lenses let through. */
export const PASSED = 0.9;

type Color = readonly [number, number, number];
/** Returns the color of the pixel at column `x` and row `y`. */
type Paint = (x: number, y: number) => Color;

/** A backdrop of one hue that gets darker toward the top. */
export const paper: Paint = (_, y) => [170 + y / 4, 160 + y / 4, 130 + y / 4];

const depthOf = (x: number, y: number) =>
  RADIUS - Math.min(...LENS_X.map((middle) => Math.hypot(x - middle, y - LENS_Y)));

/** Ground truth of the lens: everything inside the frame. */
export const isLens = (x: number, y: number): boolean => depthOf(x, y) > FRAME;
const isFrame = (x: number, y: number): boolean => depthOf(x, y) >= 0 && !isLens(x, y);

/** A reflection in each lens. */
export const isGlare = (x: number, y: number): boolean =>
  LENS_X.some((middle) => Math.hypot(x - middle - 20, y - LENS_Y + 15) < 6);

/**
 * Spectacles in front of any backdrop; `lens` draws what is visible in the lenses, by default the backdrop
 * through the glass.
 */
export function photographSpectacles(behind: Paint, lens?: Paint): RgbImage {
  return paint((x, y) => {
    if (isFrame(x, y)) return [60, 40, 20];
    if (!isLens(x, y)) return behind(x, y);
    if (lens) return lens(x, y);
    if (isGlare(x, y)) return [255, 255, 255];
    const [r, g, b] = behind(x, y);
    return [r * PASSED, g * PASSED, b * PASSED];
  });
}

/** What engines return: everything inside the frame is product. */
export function matteOfSpectacles(): Matte {
  const data = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0; i < data.length; i++) data[i] = depthOf(i % WIDTH, Math.floor(i / WIDTH)) >= 0 ? 255 : 0;
  return { width: WIDTH, height: HEIGHT, data };
}

export function paint(color: Paint): RgbImage {
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let i = 0; i < WIDTH * HEIGHT; i++)
    data.set(color(i % WIDTH, Math.floor(i / WIDTH)).map(Math.round), i * 3);
  return { width: WIDTH, height: HEIGHT, data };
}
