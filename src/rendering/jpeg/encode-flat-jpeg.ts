/**
 * A JPEG encoder for a subject on one flat colour, which keeps that colour exact up to the subject's outline. Ordinary
 * encoders ring around the subject in every block that it touches: on white, some tens of thousands of pixels
 * come out at 248 to 254. Marketplaces ask for 255.
 */
import type { RgbImage } from '../../pixels.ts';
import type { Rgb } from '../srgb.ts';
import { transformBlock } from './block-transform.ts';
import { findExactYCbCr, findSlack, type LevelRange, type YCbCr } from './exact-color.ts';
import { holdFlat } from './hold-flat.ts';
import { writeJpeg, zigzag } from './write-jpeg.ts';

export interface FlatPicture {
  readonly picture: RgbImage;
  /** One byte a pixel: 1 where the picture is nothing but `color`. */
  readonly flat: Uint8Array;
  readonly color: Rgb;
  /** 1 to 100, the scale of the Independent JPEG Group. */
  readonly quality: number;
}

export function encodeFlatJpeg({ picture, flat, color, quality }: FlatPicture): Buffer {
  const { width, height } = picture;
  const columns = Math.ceil(width / 8);
  const rows = Math.ceil(height / 8);
  const level = findExactYCbCr(color);
  const slack = findSlack(level);
  // Where the decoder clips, a miss can hide beyond the clip, so exactness is to be had. Elsewhere every pixel has to be
  // met from both sides: the search would take four times as long as all the rest, for one level that nobody sees.
  const search = slack.some(({ low, high }) => !Number.isFinite(low) || !Number.isFinite(high));
  const coders = [0, 1, 2].map((plane) =>
    makePlaneCoder(plane === 0 ? 0 : 1, {
      quality,
      level: level[plane]! - 128,
      slack: slack[plane]!,
      search,
      blocks: rows * columns,
    }),
  ) as [PlaneCoder, PlaneCoder, PlaneCoder];
  const blockFlat = new Uint8Array(64);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = 64 * (row * columns + column);
      const flatCount = readFlags({ width, height, flat }, { row, column }, blockFlat);
      if (flatCount < 64) readSamples({ picture, level }, { row, column }, blockFlat, coders);
      for (const coder of coders) {
        if (flatCount === 64) {
          coder.codeFlat(at);
        } else if (flatCount === 0) {
          coder.codeFree(at);
        } else {
          coder.codeHeld(at, blockFlat);
        }
      }
    }
  }
  return writeJpeg({
    width,
    height,
    planes: [coders[0].coefficients, coders[1].coefficients, coders[2].coefficients],
    steps: [toZigzag(coders[0].fine), toZigzag(coders[1].fine)],
  });
}

interface BlockPlace {
  readonly row: number;
  readonly column: number;
}

/** Fills the block's flags, repeating the last row and column past the border, and counts the flat ones. */
function readFlags(
  { width, height, flat }: { readonly width: number; readonly height: number; readonly flat: Uint8Array },
  { row, column }: BlockPlace,
  blockFlat: Uint8Array,
): number {
  let count = 0;
  for (let i = 0; i < 64; i++) {
    const x = Math.min(width - 1, 8 * column + (i & 7));
    const flag = flat[Math.min(height - 1, 8 * row + (i >> 3)) * width + x]!;
    blockFlat[i] = flag;
    count += flag;
  }
  return count;
}

/** Fills the coders' samples, as `readFlags` does its flags. */
function readSamples(
  { picture, level }: { readonly picture: RgbImage; readonly level: YCbCr },
  { row, column }: BlockPlace,
  blockFlat: Uint8Array,
  coders: readonly [PlaneCoder, PlaneCoder, PlaneCoder],
): void {
  const { width, height, data } = picture;
  const [luma, blue, red] = [coders[0].samples, coders[1].samples, coders[2].samples];
  const [flatLuma, flatBlue, flatRed] = [level[0] - 128, level[1] - 128, level[2] - 128];
  for (let i = 0; i < 64; i++) {
    if (blockFlat[i] === 1) {
      luma[i] = flatLuma;
      blue[i] = flatBlue;
      red[i] = flatRed;
      continue;
    }
    const x = Math.min(width - 1, 8 * column + (i & 7));
    const at = 3 * (Math.min(height - 1, 8 * row + (i >> 3)) * width + x);
    // JFIF 1.02, as in `toYCbCr`, spelled out: this runs for every pixel of the subject.
    const r = data[at]!;
    const g = data[at + 1]!;
    const b = data[at + 2]!;
    luma[i] = 0.299 * r + 0.587 * g + 0.114 * b - 128;
    blue[i] = -0.168735892 * r - 0.331264108 * g + 0.5 * b;
    red[i] = 0.5 * r - 0.418687589 * g - 0.081312411 * b;
  }
}

interface PlaneCoder {
  /** The block to be coded next, less 128, row-major. */
  readonly samples: Float32Array;
  readonly coefficients: Int16Array;
  /** The file's quantiser steps, row-major. */
  readonly fine: Uint8Array;
  codeFlat(at: number): void;
  codeFree(at: number): void;
  codeHeld(at: number, flat: Uint8Array): void;
}

interface PlaneSettings {
  readonly quality: number;
  /** Of the flat colour, less 128. */
  readonly level: number;
  readonly slack: LevelRange;
  readonly search: boolean;
  readonly blocks: number;
}

/**
 * A file has one table of steps per plane. Exactness needs fine ones; blocks inside the subject do not, so
 * they use multiples of them that make up the quality asked for.
 */
function makePlaneCoder(table: 0 | 1, { quality, level, slack, search, blocks }: PlaneSettings): PlaneCoder {
  const coarse = scaleSteps(table, quality);
  const clips = !Number.isFinite(slack.low) || !Number.isFinite(slack.high);
  const range = { low: slack.low - 128, high: slack.high - 128 };
  // The DC of white is near the largest that a file can hold (1023 steps): two units a step leave room to go beyond.
  const fine = coarse.map((step, k) => (clips ? Math.max(k === 0 ? 2 : 1, Math.round(step / 3)) : 1));
  const multiples = toZigzag(coarse.map((step, k) => Math.max(1, Math.round(step / fine[k]!))));
  const perStep = Float32Array.from(toZigzag(fine), (step, k) => 1 / (step * multiples[k]!));
  const coefficients = new Int16Array(64 * blocks);
  const samples = new Float32Array(64);
  const quantised = new Float32Array(64);
  const flatLevel = Math.round((8 * level) / fine[0]!);
  return {
    samples,
    coefficients,
    fine,
    codeFlat(at) {
      coefficients[at] = flatLevel;
    },
    codeFree(at) {
      transformBlock(samples);
      for (let k = 0; k < 64; k++) {
        const wanted = samples[zigzag[k]!]! * perStep[k]!;
        // Half away from zero; `Math.round` is several times slower here.
        const rounded = wanted < 0 ? (wanted - 0.5) | 0 : (wanted + 0.5) | 0;
        coefficients[at + k] = rounded === 0 ? 0 : limit(rounded * multiples[k]!);
      }
    },
    codeHeld(at, flat) {
      holdFlat({ samples, flat, ...range, steps: fine, search }, quantised);
      for (let k = 0; k < 64; k++) {
        coefficients[at + k] = limit(quantised[zigzag[k]!]!);
      }
    },
  };
}

/** Baseline files code at most 10 bits of a coefficient (T.81, F.1.2.2). */
function limit(coefficient: number): number {
  return Math.min(1023, Math.max(-1023, coefficient));
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

/** The scaling of the Independent JPEG Group's `jpeg_quality_scaling`. */
function scaleSteps(table: 0 | 1, quality: number): Uint8Array {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return Uint8Array.from(annexK[table], (step) =>
    Math.min(255, Math.max(1, Math.floor((step * percent + 50) / 100))),
  );
}

function toZigzag(steps: Uint8Array): Uint8Array {
  return zigzag.map((natural) => steps[natural]!);
}
