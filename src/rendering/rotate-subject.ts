/** Rotates a picture with alpha about its center, and trims it to the pixels that are not fully transparent. */
import { cutWindow, findMatteBounds, type RgbaImage } from 'packshot-pixels';

/** Alpha this close to 0 or 1 becomes 0 or 1. The value is the amplitude of the cubic filter's ripple. */
const RIPPLE = 0.015;

/**
 * Rotates clockwise by any angle, in degrees. Samples premultiplied colors with the cubic of Catmull and Rom ("A class
 * of local interpolating splines", 1974), so that the colors of transparent pixels do not bleed into the rim. At
 * multiples of 90 degrees, pixels are mapped one to one. Returns a picture of at least one pixel.
 */
export function rotateSubject(subject: RgbaImage, degrees: number): RgbaImage {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  // In floating point, the cosine of a right angle is 6e-17, which must not add a column.
  const span = (a: number, b: number): number => Math.max(1, Math.ceil(Math.abs(a) + Math.abs(b) - 1e-6));
  const width = span(subject.width * cos, subject.height * sin);
  const height = span(subject.width * sin, subject.height * cos);
  const data = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++) {
    const down = y + 0.5 - height / 2;
    for (let x = 0; x < width; x++) {
      const across = x + 0.5 - width / 2;
      const fromX = cos * across + sin * down + subject.width / 2 - 0.5;
      const fromY = cos * down - sin * across + subject.height / 2 - 0.5;
      samplePixel(subject, fromX, fromY, data, 4 * (y * width + x));
    }
  }
  return trim({ width, height, data });
}

const weightsX = new Float64Array(4);
const weightsY = new Float64Array(4);

function samplePixel(
  { width, height, data }: RgbaImage,
  x: number,
  y: number,
  into: Uint8Array,
  at: number,
): void {
  const [left, top] = [Math.floor(x) - 1, Math.floor(y) - 1];
  if (left + 3 < 0 || top + 3 < 0 || left >= width || top >= height) return;
  weighCubic(x - left - 1, weightsX);
  weighCubic(y - top - 1, weightsY);
  let [r, g, b, a] = [0, 0, 0, 0];
  for (let row = 0; row < 4; row++) {
    const fromY = top + row;
    if (fromY < 0 || fromY >= height) continue;
    for (let column = 0; column < 4; column++) {
      const fromX = left + column;
      if (fromX < 0 || fromX >= width) continue;
      const from = 4 * (fromY * width + fromX);
      const weight = (weightsX[column]! * weightsY[row]! * data[from + 3]!) / 255;
      r += weight * data[from]!;
      g += weight * data[from + 1]!;
      b += weight * data[from + 2]!;
      a += weight;
    }
  }
  if (a < RIPPLE) return;
  into[at] = toByte(r / a);
  into[at + 1] = toByte(g / a);
  into[at + 2] = toByte(b / a);
  into[at + 3] = a > 1 - RIPPLE ? 255 : toByte(255 * a);
}

/** Writes the weights of the pixels at -1, 0, 1 and 2 for a point at `t`, 0 to 1. The weights sum to 1. */
function weighCubic(t: number, into: Float64Array): void {
  const [t2, t3] = [t * t, t * t * t];
  into[0] = (-t3 + 2 * t2 - t) / 2;
  into[1] = (3 * t3 - 5 * t2 + 2) / 2;
  into[2] = (-3 * t3 + 4 * t2 + t) / 2;
  into[3] = (t3 - t2) / 2;
}

const toByte = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

function trim(picture: RgbaImage): RgbaImage {
  const box = findMatteBounds(picture, 1);
  return box ? cutWindow(picture, box) : { width: 1, height: 1, data: new Uint8Array(4) };
}
