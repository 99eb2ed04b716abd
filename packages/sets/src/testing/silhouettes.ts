/** Synthetic products for tests: drawn, colored silhouettes, and `ProductFeatures` made without a picture. */
import type { RgbaImage } from '../../../pixels/src/pixels.ts';
import type { ProductFeatures } from '../product-features.ts';

type Paint = (x: number, y: number) => readonly [red: number, green: number, blue: number];
type Inside = (x: number, y: number) => boolean;

/** `inside` and `paint` take x and y from 0 to 1 across a picture of `width` by `height` pixels. */
export function drawProduct(
  { width, height }: { readonly width: number; readonly height: number },
  inside: Inside,
  paint: Paint = () => [120, 120, 120],
): RgbaImage {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at: [number, number] = [(x + 0.5) / width, (y + 0.5) / height];
      if (inside(...at)) data.set([...paint(...at), 255], (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

const between = (value: number, low: number, high: number): boolean => value >= low && value <= high;
const inEllipse = (
  x: number,
  y: number,
  [cx, cy, rx, ry]: readonly [number, number, number, number],
): boolean => ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1;

/** A standing cylinder seen from `elevationDeg` above. */
export function drawCan(elevationDeg: number): RgbaImage {
  const bulge = Math.sin((elevationDeg * Math.PI) / 180) * 0.3;
  return drawProduct(
    { width: 200, height: 200 },
    (x, y) =>
      (between(x, 0.2, 0.8) && between(y, 0.15 + bulge, 0.85 - bulge)) ||
      inEllipse(x, y, [0.5, 0.85 - bulge, 0.3, bulge]) ||
      inEllipse(x, y, [0.5, 0.15 + bulge, 0.3, bulge]),
  );
}

export const drawFlacon = (): RgbaImage =>
  drawProduct({ width: 120, height: 200 }, (x, y) =>
    y < 0.35 ? between(x, 0.28, 0.72) && y > 0.02 : between(x, 0.03, 0.97) && y < 0.98,
  );

export const drawShoe = (): RgbaImage =>
  drawProduct(
    { width: 240, height: 140 },
    (x, y) =>
      between(x, 0.03, 0.97) &&
      y < 0.97 &&
      y > 0.97 - (x < 0.3 ? 0.55 + 1.2 * (0.3 - x) : Math.max(0.22, 0.55 - 0.7 * (x - 0.3))),
  );

export const drawChair = (): RgbaImage =>
  drawProduct(
    { width: 160, height: 200 },
    (x, y) =>
      (between(y, 0.02, 0.45) && between(x, 0.1, 0.25)) ||
      (between(y, 0.45, 0.58) && between(x, 0.1, 0.9)) ||
      (between(y, 0.58, 0.98) && (between(x, 0.1, 0.16) || between(x, 0.46, 0.5) || between(x, 0.84, 0.9))),
  );

export const drawCard = (): RgbaImage =>
  drawProduct({ width: 130, height: 190 }, (x, y) => between(x, 0.04, 0.96) && between(y, 0.04, 0.96));

export const drawShirt = (): RgbaImage =>
  drawProduct(
    { width: 180, height: 190 },
    (x, y) =>
      (between(y, 0.03, 0.42) && between(x, 0.02 + 0.1 * (0.4 - y), 0.98 - 0.1 * (0.4 - y))) ||
      (between(y, 0.4, 0.97) && between(x, 0.24, 0.76)),
  );

export const drawMug = (): RgbaImage =>
  drawProduct(
    { width: 200, height: 190 },
    (x, y) =>
      (between(x, 0.03, 0.78) && between(y, 0.04, 0.96)) ||
      (inEllipse(x, y, [0.78, 0.5, 0.19, 0.32]) && !inEllipse(x, y, [0.8, 0.5, 0.1, 0.2])),
  );

/** Features of a plain, gray, upright product; `changes` override them. */
export function makeFeatures(changes: Partial<ProductFeatures> = {}): ProductFeatures {
  const gray = { l: 0.6, c: 0.01, h: 90 };
  return {
    aspect: 0.6,
    fill: 0.8,
    solidity: 0.95,
    turnDeg: 0,
    symmetry: 0.9,
    holes: 0,
    thinness: 0,
    profile: [0.8, 0.9, 0.95, 0.95, 0.95, 0.95, 0.95, 0.9],
    footWidth: 0.8,
    areaOffset: 0,
    legs: 0,
    seeThrough: 0,
    meanColor: gray,
    rimColor: gray,
    mainColor: gray,
    colorfulness: 0,
    skin: 0,
    texture: 0.02,
    lightFrom: 'unclear',
    white: undefined,
    viewElevationDeg: undefined,
    legsElevationDeg: undefined,
    roundness: 0,
    cropped: {},
    scatter: 0,
    ground: { contacts: [], floatOdds: -1, tipDeg: 20, seenFromAbove: false },
    ...changes,
  };
}
