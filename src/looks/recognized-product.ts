/** The properties of a design's product that determine the product's size in a look. */

import { usualLength } from 'packshot-sets';
import { type Staging, stagings } from 'packshot-studio';
import type { ReadyDesign } from '../designs/design.ts';
import type { ProductSize } from '../rendering/optical-size.ts';

/**
 * Below this confidence, the staging (how a product is set up in a scene) is a guess from the outline: a sofa might
 * pass for eyeglasses.
 */
const minConfidence = 0.5;

interface Recognized {
  readonly staging?: Staging | undefined;
  readonly lengthCm?: number | undefined;
}

/** Empty if the product was not recognized reliably enough to decide its size. */
export function recognize({ product }: ReadyDesign): Recognized {
  if (!product || product.confidence < minConfidence) return {};
  return { staging: stagings.find((name) => name === product.staging), lengthCm: product.lengthCm };
}

/**
 * Part of a picture's ETag, because the picture can change although the cutout stays the same: once a model has
 * recognized the product, its staging or length may differ.
 */
export function describeProduct(design: ReadyDesign): readonly unknown[] {
  const { staging = null, lengthCm = null } = recognize(design);
  return [staging, lengthCm, design.product?.pose ?? null];
}

export function measureSize(design: ReadyDesign): ProductSize {
  const { image, subject } = design;
  const { width, height } = subject.boundingBox;
  const { staging, lengthCm = usualLength(staging) } = recognize(design);
  return {
    aspect: width / height,
    fill: Math.min(1, (subject.coverage * image.width * image.height) / (width * height)),
    lengthCm,
  };
}
