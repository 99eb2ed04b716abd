/** What a person marks on a photo to mend its cutout. All coordinates are pixels of the upright photo. */
import type { Box } from '../pixels.ts';

export type Mode = 'keep' | 'erase';

export type Point = readonly [x: number, y: number];

/** A brush stroke: a hint that spreads, from the pixels under the brush, to the edges that the photo shows. */
export interface Stroke {
  readonly mode: Mode;
  /** Of the brush, in pixels. */
  readonly radius: number;
  /** One point is a dot. */
  readonly points: readonly Point[];
}

/** Later marks win over earlier ones, polygons over boxes, boxes over strokes, strokes over parts, all of them over a mask, and a mask over what the engine saw. */
export interface Correction {
  /** Clicks: `erase` drops the connected part of the cutout at the point, `keep` brings back what the photo shows there. */
  readonly parts: readonly { readonly mode: Mode; readonly x: number; readonly y: number }[];
  readonly strokes: readonly Stroke[];
  /** Every pixel inside is certain, and none outside. */
  readonly boxes: readonly (Box & { readonly mode: Mode })[];
  /** The same; closed from the last point to the first, even-odd. */
  readonly polygons: readonly { readonly mode: Mode; readonly points: readonly Point[] }[];
}

/** Pixels without a mark are 0. */
export const KEEP = 1;
export const ERASE = 2;
