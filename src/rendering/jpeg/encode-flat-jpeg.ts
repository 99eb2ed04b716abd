/**
 * A JPEG encoder for a subject on one flat color. The color stays exact right up to the subject's outline. Standard
 * encoders ring in every block that the subject touches: on white, tens of thousands of pixels get values of 248 to
 * 254, where marketplaces require 255.
 */
import type { Rgb, RgbImage } from 'packshot-pixels';
import { findExactYCbCr, findSlack, type LevelRange } from './exact-color.ts';
import { BlockRows, type PlaneSettings } from './kernels.ts';
import { writeJpeg } from './write-jpeg.ts';

export interface FlatPicture {
  readonly picture: RgbImage;
  /** One byte per pixel: 1 where the picture is exactly `color`, otherwise 0. */
  readonly flat: Uint8Array;
  readonly color: Rgb;
  /** 1 to 100, on the scale of the Independent JPEG Group (libjpeg). */
  readonly quality: number;
}

export function encodeFlatJpeg({ picture, flat, color, quality }: FlatPicture): Buffer {
  const { width, height } = picture;
  const level = findExactYCbCr(color);
  const slack = findSlack(level);
  // White and black, for example, lie where the decoder clips: any error beyond them is invisible. This freedom lets a
  // search find exact values. For a color at no such limit, each pixel has a lower and an upper bound. A search would
  // then only remove errors of one level, which are invisible. It would take six times as long as all other work, and
  // degrade the subject by up to 0.7 dB.
  const search = slack.some(clips);
  // Both chroma planes are decoded with the same steps, so these are fine unless both planes clip.
  const isFine = [!clips(slack[0]!), !slack.slice(1).every(clips)] as const;
  const planes = [0, 1, 2].map((n) => {
    const table = n === 0 ? 0 : 1;
    const plane = { level: level[n]! - 128, slack: slack[n]!, isFine: isFine[table], search };
    return makePlaneSettings(table, { quality, ...plane });
  }) as [PlaneSettings, PlaneSettings, PlaneSettings];
  const rows = new BlockRows(Math.ceil(width / 8), planes);
  for (let y = 0; y < height; y += 8) {
    const row = rows.openRow();
    copyLines(picture.data, { y, width, height, channels: 3 }, row.rgb);
    copyLines(flat, { y, width, height, channels: 1 }, row.flat);
    rows.push();
  }
  return writeJpeg({ width, height, rows, steps: [planes[0].steps, planes[1].steps] });
}

interface Lines {
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
}

/** Copies eight lines starting at `y`, padded to whole blocks by repeating the last pixel and line. */
function copyLines(from: Uint8Array, { y, width, height, channels }: Lines, to: Uint8Array): void {
  const length = channels * width;
  const stride = to.length / 8;
  for (let line = 0; line < 8; line++) {
    const start = Math.min(height - 1, y + line) * length;
    const at = line * stride;
    to.set(from.subarray(start, start + length), at);
    for (let end = at + length; end < at + stride; end += channels) {
      to.copyWithin(end, end - channels, end);
    }
  }
}

interface PlaneRequest {
  readonly quality: number;
  /** Value of the flat color, minus 128. */
  readonly level: number;
  readonly slack: LevelRange;
  /** Whether the steps are 1, so that every value is exact. */
  readonly isFine: boolean;
  readonly search: boolean;
}

/**
 * A file has only one quantization table per plane. Flat pixels need fine steps to be exact. Blocks inside the subject
 * do not; they use multiples of those steps that match the requested quality.
 */
function makePlaneSettings(
  table: 0 | 1,
  { quality, level, slack, isFine, search }: PlaneRequest,
): PlaneSettings {
  const coarse = scaleSteps(table, quality);
  // With a DC step of 1, the DC of white would be 1016, near the maximum of 1023. A step of at least 2 leaves headroom.
  const steps = coarse.map((step, k) => (isFine ? 1 : Math.max(k === 0 ? 2 : 1, Math.round(step / 3))));
  return {
    steps,
    multiples: coarse.map((step, k) => Math.max(1, Math.round(step / steps[k]!))),
    low: slack.low - 128,
    high: slack.high - 128,
    level,
    search,
    flatDc: Math.round((8 * level) / steps[0]!),
  };
}

function clips({ low, high }: LevelRange): boolean {
  return !Number.isFinite(low) || !Number.isFinite(high);
}

/** ITU-T T.81, tables K.1 and K.2. */
const annexK = [
  [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
    22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78,
    87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ],
  [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  ],
] as const;

/** The same formula as `jpeg_quality_scaling` in the Independent JPEG Group's library. */
function scaleSteps(table: 0 | 1, quality: number): Uint8Array {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return Uint8Array.from(annexK[table], (step) =>
    Math.min(255, Math.max(1, Math.floor((step * percent + 50) / 100))),
  );
}
