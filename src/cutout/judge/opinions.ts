/** What several looks at one photo say, on one small grid on which they are compared. */
import type { Box, Matte, RgbImage } from '../../pixels.ts';
import { decodeSrgb, oklabFromLinear } from '../../srgb.ts';
import { enlargeMatte } from '../steps/enlarge-matte.ts';
import { shrinkPhoto } from '../steps/shrink-photo.ts';

/** Disputes are about parts, for which this is enough. The grid is square, whatever the photo. */
export const GRID_PX = 512;
export const SUBJECT = 128;

/**
 * `full` is the finest look; `coarse` is the first one; `far` sees the photo smaller, in a wider frame; `exposure` is a
 * coarse one through a gamma curve.
 */
export type OpinionKind = 'full' | 'coarse' | 'far' | 'exposure';

export interface Opinion {
  readonly kind: OpinionKind;
  /** Of the grid's size. */
  readonly matte: Matte;
}

export interface Opinions {
  readonly all: readonly Opinion[];
  /** Colors of the photo: three planes of OKLab, of the grid's size. */
  readonly lab: readonly [Float32Array, Float32Array, Float32Array];
  /** Mean lightness of the photo's outermost pixels, 0 to 1. */
  readonly borderLightness: number;
}

/** It covers all of the photo, at any size. */
export interface NamedLook {
  readonly kind: OpinionKind;
  readonly matte: Matte;
}

export async function gatherOpinions(photo: RgbImage, looks: readonly NamedLook[]): Promise<Opinions> {
  const grid = { width: GRID_PX, height: GRID_PX };
  const all = await Promise.all(
    looks.map(async ({ kind, matte }) => ({ kind, matte: await enlargeMatte(matte, grid) })),
  );
  const small = await shrinkPhoto(photo, grid);
  const lab = readLab(small);
  return { all, lab, borderLightness: measureBorder(lab[0]) };
}

const linear = Float64Array.from({ length: 256 }, (_, byte) => decodeSrgb(byte / 255));

function readLab({ width, height, data }: RgbImage): [Float32Array, Float32Array, Float32Array] {
  const planes = [0, 1, 2].map(() => new Float32Array(GRID_PX ** 2)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let y = 0, i = 0; y < GRID_PX; y++) {
    const row = Math.floor(((y + 0.5) * height) / GRID_PX) * width;
    for (let x = 0; x < GRID_PX; x++, i++) {
      const at = (row + Math.floor(((x + 0.5) * width) / GRID_PX)) * 3;
      const lab = oklabFromLinear([linear[data[at]!]!, linear[data[at + 1]!]!, linear[data[at + 2]!]!]);
      for (let c = 0; c < 3; c++) planes[c]![i] = lab[c]!;
    }
  }
  return planes;
}

function measureBorder(lightness: Float32Array): number {
  let sum = 0;
  const last = GRID_PX - 1;
  for (let n = 0; n < GRID_PX; n++) {
    sum +=
      lightness[n]! +
      lightness[last * GRID_PX + n]! +
      lightness[n * GRID_PX]! +
      lightness[n * GRID_PX + last]!;
  }
  return sum / (4 * GRID_PX);
}

/** From pixels of the grid to those of the photo. */
export function scaleGridBox(
  box: Box,
  { width, height }: { readonly width: number; readonly height: number },
): Box {
  const x = Math.floor((box.x * width) / GRID_PX);
  const y = Math.floor((box.y * height) / GRID_PX);
  return {
    x,
    y,
    width: Math.ceil(((box.x + box.width) * width) / GRID_PX) - x,
    height: Math.ceil(((box.y + box.height) * height) / GRID_PX) - y,
  };
}
