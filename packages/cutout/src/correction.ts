/**
 * Marks that a person makes on a photo to correct its cutout. All coordinates are pixels of the upright
 * photo.
 */
import type { Box } from 'packshot-pixels';

export type Mode = 'keep' | 'erase';

export type Point = readonly [x: number, y: number];

/**
 * A brush stroke. Without `hardness`, it spreads from the pixels under the brush to the edges visible in the photo. With
 * it, the stroke changes exactly the pixels under the brush: 1 is a hard brush, and lower values fade from `hardness`
 * times the radius, where the stroke counts fully, to the radius.
 */
export interface Stroke {
  readonly mode: Mode;
  /** Radius of the brush, in pixels. */
  readonly radius: number;
  /** A single point makes a dot. */
  readonly points: readonly Point[];
  /** 0 to 1. */
  readonly hardness?: number | undefined;
}

/**
 * Later marks override earlier ones of the same kind, except in `parts`, where `keep` overrides `erase`. Marks of
 * different kinds, the caller's mask and the engine's result override each other in this order, the strongest first:
 * polygons, boxes, exact strokes, other strokes, parts, the mask, the engine's result.
 */
export interface Correction {
  /**
   * Clicks: `erase` removes the connected part of the cutout at the point, `keep` restores what the photo
   * shows there.
   */
  readonly parts: readonly { readonly mode: Mode; readonly x: number; readonly y: number }[];
  readonly strokes: readonly Stroke[];
  /** Applies to exactly the pixels inside. */
  readonly boxes: readonly (Box & { readonly mode: Mode })[];
  /** Applies to exactly the pixels inside (even-odd); the last point connects to the first. */
  readonly polygons: readonly { readonly mode: Mode; readonly points: readonly Point[] }[];
}

/** Values of marked pixels in a map of marks; all other pixels are 0. */
export const KEEP = 1;
export const ERASE = 2;
