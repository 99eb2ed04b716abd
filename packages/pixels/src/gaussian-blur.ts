/** Gaussian blur of one float channel, approximated by three extended box filters per direction. */

interface BoxKernel {
  readonly radius: number;
  /** Weight of the two outermost taps, 0 to 1; inner taps have weight 1. */
  readonly rim: number;
  readonly norm: number;
}

const PASSES = 3;

/**
 * Gwosdek, Grewenig, Bruhn and Weickert 2011, "Theoretical foundations of Gaussian convolution by extended
 * box filtering".
 */
function boxKernel(sigma: number): BoxKernel {
  const variance = (sigma * sigma) / PASSES;
  const radius = Math.floor(0.5 * Math.sqrt(12 * variance + 1) - 0.5);
  const rim =
    ((2 * radius + 1) * (radius * (radius + 1) - 3 * variance)) / (6 * (variance - (radius + 1) ** 2));
  return { radius, rim, norm: 1 / (2 * radius + 1 + 2 * rim) };
}

/** Blurs in place; `sigmaX` and `sigmaY` are in pixels, at least 0. Values beyond the border count as 0. */
export function blurGaussian(
  data: Float32Array,
  { width, height }: { readonly width: number; readonly height: number },
  { sigmaX, sigmaY }: { readonly sigmaX: number; readonly sigmaY: number },
): void {
  const alongRows = boxKernel(sigmaX);
  const alongColumns = boxKernel(sigmaY);
  const padX = alongRows.radius + 1;
  const line = new Float32Array(width + 2 * padX);
  const padY = (alongColumns.radius + 1) * width;
  const sheet = new Float32Array(data.length + 2 * padY);
  for (let pass = 0; pass < PASSES; pass++) {
    for (let y = 0; y < height; y++) {
      line.set(data.subarray(y * width, (y + 1) * width), padX);
      blurRow(line, sheet, { start: padY + y * width, width, kernel: alongRows });
    }
    blurColumns(sheet, data, { width, height, kernel: alongColumns });
  }
}

/** Blurs one row. `from` holds it with `radius + 1` zeros on each side. */
function blurRow(
  from: Float32Array,
  to: Float32Array,
  { start, width, kernel }: { readonly start: number; readonly width: number; readonly kernel: BoxKernel },
): void {
  const { radius, rim, norm } = kernel;
  const span = 2 * radius + 1;
  let sum = 0;
  for (let i = 1; i < span; i++) {
    sum += from[i]!;
  }
  for (let x = 0; x < width; x++) {
    sum += from[x + span]!;
    to[start + x] = (sum + rim * (from[x]! + from[x + span + 1]!)) * norm;
    sum -= from[x + 1]!;
  }
}

/** Blurs all columns. `from` holds all rows, with `radius + 1` rows of zeros above and below. */
function blurColumns(
  from: Float32Array,
  to: Float32Array,
  { width, height, kernel }: { readonly width: number; readonly height: number; readonly kernel: BoxKernel },
): void {
  const { radius, rim, norm } = kernel;
  const span = (2 * radius + 1) * width;
  const sums = new Float32Array(width);
  for (let i = width; i < span; i++) {
    sums[i % width] = sums[i % width]! + from[i]!;
  }
  for (let i = 0, x = 0; i < width * height; i++, x = x + 1 === width ? 0 : x + 1) {
    const sum = sums[x]! + from[i + span]!;
    to[i] = (sum + rim * (from[i]! + from[i + span + width]!)) * norm;
    sums[x] = sum - from[i + width]!;
  }
}
