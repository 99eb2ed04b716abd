/** The outline of a cutout, from which the page knows how large the turned product is. */
import { useEffect, useState } from 'preact/hooks';
import type { Subject } from '../../../clients/typescript/src/packshot-client.ts';
import type { Product } from './place-product.ts';

export interface Outline extends Product {
  /** Points around the product in pixels of the photo, from the middle of its box: enough of them to turn it. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Rows that are looked at; more would not change the size visibly. */
const rows = 160;
/** Fainter pixels do not count as the product, as in the service. */
const leastAlpha = 4;

/** The corners of the product's box, until its pixels are read. */
export function useOutline(cutout: Blob, subject: Subject | null | undefined): Outline | null {
  const [read, setRead] = useState<{ of: Blob; points: Outline['points'] } | null>(null);
  useEffect(() => {
    if (!subject) return undefined;
    let left = false;
    void readPoints(cutout, subject).then(
      (points) => left || setRead({ of: cutout, points }),
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [cutout, subject]);
  if (!subject) return null;
  const { boundingBox, touchesEdges } = subject;
  const { width, height } = boundingBox;
  const corners = [-1, 1].flatMap((x) => [-1, 1].map((y) => [(x * width) / 2, (y * height) / 2] as const));
  const points = read?.of === cutout && read.points.length > 0 ? read.points : corners;
  return { width, height, touchesEdges, points };
}

async function readPoints(cutout: Blob, { boundingBox: box }: Subject): Promise<Outline['points']> {
  const height = Math.min(rows, box.height);
  const width = Math.max(1, Math.round((height * box.width) / box.height));
  const bitmap = await createImageBitmap(cutout, box.x, box.y, box.width, box.height, {
    resizeWidth: width,
    resizeHeight: height,
  });
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  const points: [number, number][] = [];
  for (let y = 0; y < height; y++) {
    const seen = (x: number) => data[4 * (y * width + x) + 3]! >= leastAlpha;
    let [first, last] = [0, width - 1];
    while (first < width && !seen(first)) first++;
    while (last > first && !seen(last)) last--;
    if (first === width) continue;
    for (const [column, row] of [
      [first, y],
      [last + 1, y],
      [first, y + 1],
      [last + 1, y + 1],
    ] as const)
      points.push([(column / width - 0.5) * box.width, (row / height - 0.5) * box.height]);
  }
  return points;
}
