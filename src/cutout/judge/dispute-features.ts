/** The numbers by which the judge tells whether a disputed part belongs to the product. */
import type { Matte } from '../../pixels.ts';
import { measureSoftness } from '../steps/matte-evidence.ts';
import { compareColors } from './color-models.ts';
import type { Dispute } from './find-disputes.ts';
import { GRID_PX, type OpinionKind, type Opinions, SUBJECT } from './opinions.ts';

/** How far on both sides of a part's outline the photo's colors are compared, in pixels of the grid. */
const REACH_PX = 2;
const BRIGHT_BORDER = 0.8;
/** Shadows are a little darker than what they fall on; things may be as dark as they like. */
const MOST_LIGHTER = 0.15;
/** Of lightness: noise. Shadows show no more detail than what they fall on. */
const LEAST_DETAIL = 0.004;

export const disputeFeatures = [
  'adds',
  'full',
  'coarse',
  'far',
  'exposure',
  'least',
  'most',
  'exposureOnBright',
  'fullWhereSoft',
  'farWhereLarge',
  'fullWhereLarge',
  'coarseWhereThin',
  'fullWhereThin',
  'logArea',
  'logShare',
  'logDepth',
  'enclosed',
  'atFrame',
  'contrastToProduct',
  'contrastToBackground',
  'lighterThanBackground',
  'color',
  'detail',
] as const;
export type DisputeFeature = (typeof disputeFeatures)[number];
export type DisputeFeatures = Readonly<Record<DisputeFeature, number>>;

export interface Scene {
  readonly opinions: Opinions;
  /** See `compareColors`. */
  readonly colors: Float32Array;
  /** Difference in lightness to the neighbors of each pixel of the grid, and its mean where no look sees product. */
  readonly detail: Float32Array;
  readonly backgroundDetail: number;
}

export function describeScene(opinions: Opinions): Scene {
  const [lightness] = opinions.lab;
  const detail = new Float32Array(GRID_PX ** 2);
  let sum = 0;
  let count = 0;
  for (let y = 1; y < GRID_PX - 1; y++) {
    for (let x = 1, i = y * GRID_PX + 1; x < GRID_PX - 1; x++, i++) {
      detail[i] = Math.hypot(
        lightness[i + 1]! - lightness[i - 1]!,
        lightness[i + GRID_PX]! - lightness[i - GRID_PX]!,
      );
      if (opinions.all.some(({ matte }) => matte.data[i]! >= SUBJECT)) continue;
      sum += detail[i]!;
      count++;
    }
  }
  return {
    opinions,
    colors: compareColors(opinions),
    detail,
    backgroundDetail: sum / Math.max(1, count),
  };
}

/** `held` is what the part would be added to, or removed from. */
export function describeDispute(dispute: Dispute, held: Matte, scene: Scene): DisputeFeatures {
  const { pixels, adds, depth } = dispute;
  const { opinions, colors, detail, backgroundDetail } = scene;
  const votes = opinions.all.map(({ matte }) => 2 * (meanOf(pixels, matte.data) / 255) - 1);
  const voteOf = (kind: OpinionKind): number => {
    const those = votes.filter((_, n) => opinions.all[n]!.kind === kind);
    return those.length === 0 ? 0 : those.reduce((sum, vote) => sum + vote, 0) / those.length;
  };
  const full = voteOf('full');
  const far = voteOf('far');
  const exposure = voteOf('exposure');
  const subject = countSubject(held) + (adds ? pixels.length : 0);
  const coverage = subject / GRID_PX ** 2;
  const fullMatte = opinions.all.find(({ kind }) => kind === 'full')!.matte;
  const thinness = Math.max(0, 1 - depth / 16);
  return {
    adds: adds ? 1 : -1,
    full,
    coarse: voteOf('coarse'),
    far,
    exposure,
    least: Math.min(...votes),
    most: Math.max(...votes),
    exposureOnBright: opinions.borderLightness > BRIGHT_BORDER ? exposure : 0,
    fullWhereSoft: full * Math.min(1, 10 * measureSoftness(fullMatte)),
    farWhereLarge: far * coverage,
    fullWhereLarge: full * coverage,
    coarseWhereThin: voteOf('coarse') * thinness,
    fullWhereThin: full * thinness,
    logArea: Math.log10(pixels.length / GRID_PX ** 2),
    logShare: Math.log10(pixels.length / subject),
    logDepth: Math.log10(depth),
    ...describeOutline(dispute, held, opinions),
    color: meanOf(pixels, colors),
    detail: Math.log10((meanOf(pixels, detail) + LEAST_DETAIL) / (backgroundDetail + LEAST_DETAIL)),
  };
}

const steps = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

function describeOutline({ pixels }: Dispute, held: Matte, { lab }: Opinions) {
  const inside = new Uint8Array(GRID_PX ** 2);
  for (const i of pixels) inside[i] = 1;
  const [lightness, a, b] = lab;
  const sums = { product: 0, background: 0, lighter: 0 };
  const counts = { product: 0, background: 0, frame: 0 };
  for (const i of pixels) {
    const x = i % GRID_PX;
    const y = (i - x) / GRID_PX;
    for (const [dx, dy] of steps) {
      const [u, v] = [x + dx, y + dy];
      if (u < 0 || v < 0 || u >= GRID_PX || v >= GRID_PX) {
        counts.frame++;
        continue;
      }
      if (inside[v * GRID_PX + u] === 1) continue;
      const out = clampIndex(u + dx * REACH_PX, v + dy * REACH_PX);
      const within = clampIndex(x - dx * REACH_PX, y - dy * REACH_PX);
      const step = lightness[within]! - lightness[out]!;
      const contrast = Math.hypot(step, a[within]! - a[out]!, b[within]! - b[out]!);
      const side = held.data[v * GRID_PX + u]! >= SUBJECT ? 'product' : 'background';
      counts[side]++;
      sums[side] += contrast;
      if (side === 'background') sums.lighter += step;
    }
  }
  const all = counts.product + counts.background + counts.frame;
  return {
    enclosed: counts.product / all,
    atFrame: counts.frame / all,
    contrastToProduct: sums.product / Math.max(1, counts.product),
    contrastToBackground: sums.background / Math.max(1, counts.background),
    lighterThanBackground: Math.min(
      MOST_LIGHTER,
      Math.max(-MOST_LIGHTER, sums.lighter / Math.max(1, counts.background)),
    ),
  };
}

function clampIndex(x: number, y: number): number {
  const clamp = (value: number) => Math.min(GRID_PX - 1, Math.max(0, value));
  return clamp(y) * GRID_PX + clamp(x);
}

function meanOf(pixels: Int32Array, values: Uint8Array | Float32Array): number {
  let sum = 0;
  for (const i of pixels) sum += values[i]!;
  return sum / pixels.length;
}

function countSubject({ data }: Matte): number {
  let count = 0;
  for (const alpha of data) if (alpha >= SUBJECT) count++;
  return count;
}
