/** Removes from a matte the small parts that lie next to the product but do not belong to it. */
import { findParts, type Matte, SUBJECT } from 'packshot-pixels';

/**
 * Compression leaves rings of color along an edge, and the outermost rings look like small parts of the product. To
 * remove them, this function applies the opening by reconstruction of Vincent 1993 ("Morphological Grayscale
 * Reconstruction in Image Analysis"). Of all paths from a pixel to a firm part of at least `minArea` pixels, it finds
 * the one whose minimum alpha is highest, and limits the pixel's alpha to that minimum. A smaller part is
 * thus limited to the low alpha of the gap between it and the product, and disappears.
 */
export function dropCrumbs(matte: Matte, minArea: number): Matte {
  const { width, height, data } = matte;
  const kept = new Uint8Array(data.length);
  /** For each alpha, the pixels whose neighbors have not been visited yet. */
  const open: number[][] = Array.from({ length: 256 }, () => []);
  const { parts, order } = findParts(matte, { min: SUBJECT, max: 255, neighbours: 8 });
  for (const part of parts) {
    if (part.area < minArea) continue;
    for (let i = part.start; i < part.end; i++) {
      const index = order[i]!;
      kept[index] = data[index]!;
      open[data[index]!]!.push(index);
    }
  }
  for (let alpha = 255; alpha > 0; alpha--) {
    const visit = (index: number): void => {
      const reached = Math.min(alpha, data[index]!);
      if (reached <= kept[index]!) return;
      kept[index] = reached;
      open[reached]!.push(index);
    };
    const level = open[alpha]!;
    for (let index = level.pop(); index !== undefined; index = level.pop()) {
      const x = index % width;
      if (x > 0) visit(index - 1);
      if (x < width - 1) visit(index + 1);
      if (index >= width) visit(index - width);
      if (index < width * (height - 1)) visit(index + width);
    }
  }
  return { width, height, data: kept };
}
