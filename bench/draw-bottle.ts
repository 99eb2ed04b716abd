/** The product of the scene benchmarks. */
import type { Box } from '../packages/pixels/src/pixels.ts';
import type { StudioProduct } from '../packages/studio/src/product-proxy.ts';

/** Draws an opaque bottle with neck, shoulders and body into this box. */
export function drawBottle({ x, y, width, height }: Box): StudioProduct {
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const halfWidth = Math.min(0.95, Math.max(0.4, 0.4 + 5.5 * (row / height - 0.25)));
    for (let column = 0; column < width; column++) {
      const across = ((column + 0.5) / width) * 2 - 1;
      data.set(
        [60, 90, 90 + 60 * across, Math.abs(across) < halfWidth ? 255 : 0],
        (row * width + column) * 4,
      );
    }
  }
  return { image: { width, height, data }, x, y };
}
