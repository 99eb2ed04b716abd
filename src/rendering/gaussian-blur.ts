/** A Gaussian blur of one float channel, by three extended box filters a direction. */

interface BoxKernel {
  readonly radius: number;
  /** Weight of the two outermost taps, 0 to 1; the inner taps weigh 1. */
  readonly rim: number;
  readonly norm: number;
}

const PASSES = 3;

/** Gwosdek, Grewenig, Bruhn and Weickert 2011, "Theoretical foundations of Gaussian convolution by extended box filtering". */
function boxKernel(sigma: number): BoxKernel {
  const variance = (sigma * sigma) / PASSES;
  const radius = Math.floor(0.5 * Math.sqrt(12 * variance + 1) - 0.5);
  const rim = ((2 * radius + 1) * (radius * (radius + 1) - 3 * variance)) / (6 * (variance - (radius + 1) ** 2));
  return { radius, rim, norm: 1 / (2 * radius + 1 + 2 * rim) };
}

/** Blurs in place; `sigmaX` and `sigmaY` in pixels, at least 0. Beyond the border lies zero. */
export function blurGaussian(
  data: Float32Array,
  { width, height }: { readonly width: number; readonly height: number },
  { sigmaX, sigmaY }: { readonly sigmaX: number; readonly sigmaY: number },
): void {
  const alongRows = boxKernel(sigmaX);
  const alongColumns = boxKernel(sigmaY);
  const line = new Float32Array(Math.max(width, 1));
  const copy = new Float32Array(data.length);
  for (let pass = 0; pass < PASSES; pass++) {
    for (let y = 0; y < height; y++) {
      line.set(data.subarray(y * width, (y + 1) * width));
      blurRow(line, data, y * width, width, alongRows);
    }
    copy.set(data);
    blurColumns(copy, data, width, height, alongColumns);
  }
}

function blurRow(from: Float32Array, to: Float32Array, start: number, width: number, kernel: BoxKernel): void {
  const { radius, rim, norm } = kernel;
  let sum = 0;
  for (let x = 0; x < Math.min(radius, width); x++) {
    sum += from[x]!;
  }
  for (let x = 0; x < width; x++) {
    if (x + radius < width) {
      sum += from[x + radius]!;
    }
    const left = x - radius - 1;
    const right = x + radius + 1;
    const ends = (left >= 0 ? from[left]! : 0) + (right < width ? from[right]! : 0);
    to[start + x] = (sum + rim * ends) * norm;
    if (x - radius >= 0) {
      sum -= from[x - radius]!;
    }
  }
}

function blurColumns(
  from: Float32Array,
  to: Float32Array,
  width: number,
  height: number,
  { radius, rim, norm }: BoxKernel,
): void {
  const sums = new Float64Array(width);
  const add = (y: number, sign: number): void => {
    if (y >= 0 && y < height) {
      for (let x = 0; x < width; x++) {
        sums[x] = sums[x]! + sign * from[y * width + x]!;
      }
    }
  };
  for (let y = 0; y < radius; y++) {
    add(y, 1);
  }
  for (let y = 0; y < height; y++) {
    add(y + radius, 1);
    const up = (y - radius - 1) * width;
    const down = (y + radius + 1) * width;
    for (let x = 0; x < width; x++) {
      const ends = (up >= 0 ? from[up + x]! : 0) + (down < from.length ? from[down + x]! : 0);
      to[y * width + x] = (sums[x]! + rim * ends) * norm;
    }
    add(y - radius, -1);
  }
}
