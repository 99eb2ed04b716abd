/** Where a plain recipe puts the product: computed as the service does, so that the page's numbers are true. */
import { makeLayout } from '../../../src/rendering/layout.ts';
import { ratioOf } from '../shared/chips.tsx';
import type { Adjustments } from './backdrop-choice.ts';

/** The recipe's own layout. */
export interface OwnLayout {
  readonly margin: number;
  readonly align: 'center' | 'baseline';
}

/** The product's size in pixels of the photo, and the edges of the photo that cut it off. */
export interface Product {
  readonly width: number;
  readonly height: number;
  readonly touchesEdges: readonly ('left' | 'right' | 'top' | 'bottom')[];
}

export function sizeOfRatio(variant: string): { width: number; height: number } {
  const ratio = ratioOf(variant);
  return { width: Math.round(2000 * Math.min(1, ratio)), height: Math.round(2000 / Math.max(1, ratio)) };
}

/** The product's box as fractions of the picture's width and height. */
export function placeProduct(
  own: OwnLayout,
  layout: Adjustments['layout'],
  variant: string,
  product: Product,
) {
  const canvas = sizeOfRatio(variant);
  const { box } = makeLayout({
    boundingBox: product,
    touchesEdges: product.touchesEdges,
    layout: {
      ...layout,
      margin: layout?.margin ?? own.margin,
      scale: layout?.scale ?? 1,
      align: layout?.align ?? own.align,
    },
    canvas,
  });
  return {
    x: box.x / canvas.width,
    y: box.y / canvas.height,
    width: box.width / canvas.width,
    height: box.height / canvas.height,
  };
}

/** A very wide and a very tall product: between them, they fill the picture as much as any. */
const extremes = [
  { width: 1e6, height: 1, touchesEdges: [] },
  { width: 1, height: 1e6, touchesEdges: [] },
] as const;

/**
 * The part of the picture's width or height that the product fills, whichever is more, as marketplaces measure it.
 * Without a product: the most that any product fills.
 */
export function fillOf(
  own: OwnLayout,
  layout: Adjustments['layout'],
  variant: string,
  product: Product | null,
): number {
  const boxes = (product ? [product] : extremes).map((one) => placeProduct(own, layout, variant, one));
  return Math.max(...boxes.flatMap(({ width, height }) => [width, height]));
}
