/** Where a plain recipe puts the product: computed as the service does, so that the page's numbers are true. */
import { makeLayout } from '../../../src/rendering/layout.ts';
import { ratioOf } from '../shared/chips.tsx';
import type { Adjustments } from './backdrop-choice.ts';
import type { Outline } from './use-outline.ts';

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

/**
 * The product turned clockwise by this many degrees; then no edge of the photo cuts it off any more. `middle` is that of
 * its new box, from the point about which it was turned.
 */
export function turnProduct(outline: Outline, degrees = 0): Product & { readonly middle: readonly number[] } {
  if (degrees === 0) return { ...outline, middle: [0, 0] };
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const { points } = outline;
  const axes = [points.map(([x, y]) => x * cos - y * sin), points.map(([x, y]) => x * sin + y * cos)];
  const [[left, right], [top, bottom]] = axes.map((at) => [Math.min(...at), Math.max(...at)]) as [
    [number, number],
    [number, number],
  ];
  return {
    width: right - left,
    height: bottom - top,
    touchesEdges: [],
    middle: [(left + right) / 2, (top + bottom) / 2],
  };
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
