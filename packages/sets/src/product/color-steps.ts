/** Measures where colors change within the product. */
import { oklabFromRgb, type RgbaImage } from 'packshot-pixels';

export interface Steps {
  readonly width: number;
  readonly height: number;
  /** Vertical step in OKLab color at each pixel; 0 outside the product, and just below or above its outline. */
  readonly values: Float32Array;
}

export function measureSteps({ width, height, data }: RgbaImage): Steps {
  const labs = Array.from({ length: width * height }, (_, i) =>
    oklabFromRgb(data[i * 4]!, data[i * 4 + 1]!, data[i * 4 + 2]!),
  );
  const values = new Float32Array(width * height);
  for (let y = 2; y < height - 2; y++) {
    for (let x = 0; x < width; x++) {
      const at = (rows: number): number => (y + rows) * width + x;
      if (data[at(-2) * 4 + 3]! < 250 || data[at(2) * 4 + 3]! < 250) continue;
      const channels = [0, 1, 2].map(
        (c) => (labs[at(1)]![c]! + labs[at(2)]![c]! - labs[at(-1)]![c]! - labs[at(-2)]![c]!) / 2,
      );
      values[at(0)] = Math.hypot(...channels);
    }
  }
  return { width, height, values };
}
