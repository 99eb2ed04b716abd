/**
 * Tiles a slanted SAMPLE mark over a picture. The mark is visible on every backdrop, but faint enough that the picture
 * can still be judged.
 */

import { letters, type Point } from './sample-letters.ts';

/** RGB, or RGBA with straight alpha. */
export interface Stampable {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

const LETTER_GAP = 0.34;

// Lengths are in letter heights. All values were chosen by looking at the mark on white, black, glass and scenes.
const HALF_STROKE = 0.062;
const OUTLINE = 0.028;
const MARGIN = 0.3;
const TILE_WIDTH = 6.4;
const TILE_HEIGHT = 2.9;
/** Height of a letter, as a fraction of the picture's longer side. */
const LETTER_SHARE = 0.062;
const SLANT_DEG = -30;
const FILL_ALPHA = 0.42;
const OUTLINE_ALPHA = 0.3;

/** Cells of the distance field per letter height. */
const CELLS = 64;

interface Field {
  readonly width: number;
  readonly height: number;
  /** Distance to the nearest stroke's center line, in letter heights. */
  readonly distances: Float32Array;
  /** Length of the word, in letter heights. */
  readonly wordWidth: number;
}

let field: Field | undefined;

/** Modifies the picture in place, deterministically. */
export function stampSample(picture: Stampable): void {
  field ??= makeField();
  const { width, height, channels, data } = picture;
  const letterPx = LETTER_SHARE * Math.max(width, height);
  const angle = (SLANT_DEG * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle) / letterPx, Math.sin(angle) / letterPx];
  const softness = 1 / letterPx;
  const cover = (distance: number, reach: number) =>
    Math.min(1, Math.max(0, 0.5 + (reach - distance) / softness));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // Relative to the center of the picture, so that the center shows a word in every aspect ratio.
      const [dx, dy] = [x + 0.5 - width / 2, y + 0.5 - height / 2];
      const distance = distanceAt(field, dx * cos + dy * sin, dy * cos - dx * sin);
      if (distance > HALF_STROKE + OUTLINE + softness) continue;
      const fill = FILL_ALPHA * cover(distance, HALF_STROKE);
      const outline =
        OUTLINE_ALPHA *
        cover(distance, HALF_STROKE + OUTLINE) *
        (1 - cover(distance, HALF_STROKE - softness / 2));
      const pixel = channels * (y * width + x);
      paintOver(data, pixel, channels, 0, outline);
      paintOver(data, pixel, channels, 255, fill);
    }
  }
}

/** Porter-Duff `over` with an opaque or translucent gray; the picture has straight alpha. */
function paintOver(data: Uint8Array, pixel: number, channels: number, gray: number, alpha: number): void {
  const below = channels === 4 ? data[pixel + 3]! / 255 : 1;
  const total = alpha + below * (1 - alpha);
  if (total === 0) return;
  for (let c = 0; c < 3; c++) {
    const kept = data[pixel + c]! * below * (1 - alpha);
    data[pixel + c] = Math.round((gray * alpha + kept) / total);
  }
  if (channels === 4) data[pixel + 3] = Math.round(255 * total);
}

/** `u` runs along the baseline and `v` across it, both in letter heights from the center of a word. */
function distanceAt(one: Field, u: number, v: number): number {
  const row = Math.floor(v / TILE_HEIGHT + 0.5);
  const along = u + (row % 2 === 0 ? 0 : TILE_WIDTH / 2);
  const inTile = along - TILE_WIDTH * Math.floor(along / TILE_WIDTH + 0.5);
  const x = (inTile + one.wordWidth / 2 + MARGIN) * CELLS - 0.5;
  const y = (v - TILE_HEIGHT * row + 0.5 + MARGIN) * CELLS - 0.5;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left + 1 >= one.width || top + 1 >= one.height) return MARGIN;
  const [fx, fy] = [x - left, y - top];
  const at = top * one.width + left;
  const upper = one.distances[at]! * (1 - fx) + one.distances[at + 1]! * fx;
  const lower = one.distances[at + one.width]! * (1 - fx) + one.distances[at + one.width + 1]! * fx;
  return upper * (1 - fy) + lower * fy;
}

function makeField(): Field {
  const segments: (readonly [Point, Point])[] = [];
  let penX = 0;
  for (const letter of letters) {
    for (const stroke of letter.strokes) {
      for (let i = 1; i < stroke.length; i++) {
        const [from, to] = [stroke[i - 1]!, stroke[i]!];
        segments.push([
          [from[0] + penX, from[1]],
          [to[0] + penX, to[1]],
        ]);
      }
    }
    penX += letter.width + LETTER_GAP;
  }
  const wordWidth = penX - LETTER_GAP;
  const width = Math.ceil((wordWidth + 2 * MARGIN) * CELLS);
  const height = Math.ceil((1 + 2 * MARGIN) * CELLS);
  const distances = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at: Point = [(x + 0.5) / CELLS - MARGIN, (y + 0.5) / CELLS - MARGIN];
      distances[y * width + x] = Math.min(...segments.map((segment) => distanceTo(segment, at)));
    }
  }
  return { width, height, distances, wordWidth };
}

function distanceTo([[ax, ay], [bx, by]]: readonly [Point, Point], [x, y]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  // The start of an arc can coincide with the end of a line; the segment between them then has length 0.
  const squared = dx * dx + dy * dy || 1;
  const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / squared));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}
