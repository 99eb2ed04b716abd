/**
 * Measures the first two passes over a photo, for the judgment whether further passes would improve the cutout.
 *
 * The closer pass is usually right where the coarse one is unsure. What matters is where each is sure and they
 * still contradict each other, and where the closer pass leaves a semi-transparent area (a veil).
 */
import { type Matte, SUBJECT } from 'packshot-pixels';

/** Up to the first alpha, a pass is sure of backdrop; from the second on, of product. */
const SURE_BACKDROP = 32;
const SURE_PRODUCT = 224;
/**
 * A pixel counts as a contradiction or as veil only if its four neighbors at this distance are of the same kind. So
 * blurred outlines do not count.
 */
const CONTRADICTION_PX = 1;
const VEIL_PX = 2;

export interface PassMeasures {
  /** The fraction of the product, 0 to 1, over which the closer pass left a veil. */
  readonly veil: number;
  /** The fraction of the product, 0 to 1, on which both passes are sure and contradict each other. */
  readonly contradiction: number;
}

const IS_VEIL = 1;
const IS_LOST = 2;
const IS_ADDED = 3;

/** Both mattes cover the whole photo and have the same size, 512 px for the default engine. */
export function measurePasses(close: Matte, coarse: Matte): PassMeasures {
  const { width, height } = close;
  const kinds = new Uint8Array(close.data.length);
  let either = 0;
  for (let i = 0; i < kinds.length; i++) {
    const own = close.data[i]!;
    const other = coarse.data[i]!;
    if (own >= SUBJECT || other >= SUBJECT) either++;
    if (own > SURE_BACKDROP && own < SURE_PRODUCT) kinds[i] = IS_VEIL;
    else if (own <= SURE_BACKDROP && other >= SURE_PRODUCT) kinds[i] = IS_LOST;
    else if (own >= SURE_PRODUCT && other <= SURE_BACKDROP) kinds[i] = IS_ADDED;
  }
  let veil = 0;
  let contradiction = 0;
  for (let y = VEIL_PX; y < height - VEIL_PX; y++) {
    for (let x = VEIL_PX, i = y * width + VEIL_PX; x < width - VEIL_PX; x++, i++) {
      const kind = kinds[i]!;
      if (kind === 0) continue;
      const step = kind === IS_VEIL ? VEIL_PX : CONTRADICTION_PX;
      const isInner =
        kinds[i - step] === kind &&
        kinds[i + step] === kind &&
        kinds[i - step * width] === kind &&
        kinds[i + step * width] === kind;
      if (!isInner) continue;
      if (kind === IS_VEIL) veil++;
      else contradiction++;
    }
  }
  const product = Math.max(1, either);
  return { veil: veil / product, contradiction: contradiction / product };
}
