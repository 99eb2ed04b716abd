/** What `record-looks.ts` writes about each photo, and `fit-judgments.ts` reads. */

import type { MatteMeasures } from '../../../src/cutout/steps/judge-looks.ts';
import type { LookMeasures } from '../../../src/cutout/steps/measure-looks.ts';

export interface LookRecord {
  readonly id: string;
  readonly product: string;
  readonly group: string;
  readonly measures: LookMeasures;
  /** Whether the product ends within the part of the photo that the second pass covers; if not, more passes follow. */
  readonly isWithin: boolean;
  /** The cutout made from the first two passes; for meshes, also from the passes over the product's two halves. */
  readonly two: MadeCutout;
  /** The cutout made from all passes. */
  readonly all: MadeCutout;
  /** Intersection over union of `two` and `all`; `null` if one of them is empty. */
  readonly same: number | null;
}

export interface MadeCutout extends MatteMeasures {
  /** Cost of the passes, as a multiple of the cost of a pass at 1024 px. */
  readonly cost: number;
  readonly agreement: number;
  /** `null` if the true matte is unknown. */
  readonly iou: number | null;
  readonly bf2: number | null;
  readonly mae: number | null;
}
