/** Scales a picture with alpha by separable filters on premultiplied colors, without rounding between the passes. */

import { ensureMemory, type Kernels, openKernels, type RgbaImage } from 'packshot-pixels';

interface ResampleKernels extends Kernels {
  filterAcross(
    source: number,
    width: number,
    work: number,
    plan: number,
    taps: number,
    target: number,
    targetWidth: number,
  ): void;
  filterDown(rows: number, weights: number, taps: number, width: number, target: number): void;
}

/**
 * The kernels' memory holds only a few lines: 20 bytes per source column and, per target column, 4 bytes for each tap
 * across and 16 for each tap down.
 */
const kernels = openKernels<ResampleKernels>(new URL('./resample-kernels.wasm', import.meta.url))();

const PIXEL_BYTES = 16;

/** Alpha within 1.5 % of 0 or 1 becomes 0 or 1, which removes the filters' ripple. */
export function resample(image: RgbaImage, width: number, height: number): RgbaImage {
  const across = planAxis(image.width, width);
  const down = planAxis(image.height, height);
  const memory = layMemory(image.width, width, { across, down });
  const { buffer } = kernels.memory;
  writeAcross(across, new DataView(buffer, memory.plan));
  const sourceLine = new Uint8Array(buffer, memory.source, 4 * image.width);
  const targetLine = new Uint8Array(buffer, memory.target, 4 * width);
  const rows = new Uint32Array(buffer, memory.rows, down.taps);
  const weights = new Float32Array(buffer, memory.weights, down.taps);
  const lineOf = (y: number): number => memory.lines + (y % down.taps) * PIXEL_BYTES * width;
  const data = new Uint8Array(4 * width * height);
  let next = 0;
  for (let y = 0; y < height; y++) {
    const first = down.starts[y]!;
    for (; next < first + down.taps; next++) {
      sourceLine.set(image.data.subarray(4 * next * image.width, 4 * (next + 1) * image.width));
      kernels.filterAcross(
        memory.source,
        image.width,
        memory.work,
        memory.plan,
        across.taps,
        lineOf(next),
        width,
      );
    }
    for (let k = 0; k < down.taps; k++) rows[k] = lineOf(first + k);
    weights.set(down.weights.subarray(y * down.taps, (y + 1) * down.taps));
    kernels.filterDown(memory.rows, memory.weights, down.taps, width, memory.target);
    data.set(targetLine, 4 * y * width);
  }
  return { width, height, data };
}

/** For each target pixel: the index of its first source pixel, and `taps` weights from there on, which sum to 1. */
interface AxisPlan {
  readonly taps: number;
  readonly starts: Uint32Array;
  readonly weights: Float32Array;
}

/** Lanczos-3 to shrink. To enlarge, Catmull-Rom as in libvips, because it has no second ripple at edges. */
function planAxis(source: number, target: number): AxisPlan {
  const scale = source / target;
  const [weigh, reach] = scale > 1 ? [lanczos3, 3 * scale] : [catmullRom, 2];
  const taps = Math.min(source, Math.ceil(2 * reach));
  const starts = new Uint32Array(target);
  const weights = new Float32Array(target * taps);
  for (let i = 0; i < target; i++) {
    const center = (i + 0.5) * scale - 0.5;
    const low = Math.floor(center - reach) + 1;
    const start = Math.min(source - taps, Math.max(0, low));
    starts[i] = start;
    const own = weights.subarray(i * taps, (i + 1) * taps);
    let sum = 0;
    for (let j = low; j < center + reach; j++) {
      const weight = weigh((j - center) / Math.max(1, scale));
      // Beyond the border, the first or last pixel is repeated.
      own[Math.min(source - 1, Math.max(0, j)) - start]! += weight;
      sum += weight;
    }
    for (let k = 0; k < taps; k++) own[k] = own[k]! / sum;
  }
  return { taps, starts, weights };
}

/** Lanczos kernel (Duchon 1979). */
function lanczos3(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= 3) return 0;
  return (3 * Math.sin(Math.PI * x) * Math.sin((Math.PI * x) / 3)) / (Math.PI * x) ** 2;
}

/** Cubic convolution with a = -1/2 (Keys 1981). */
function catmullRom(x: number): number {
  const d = Math.abs(x);
  if (d >= 2) return 0;
  return d < 1 ? (1.5 * d - 2.5) * d * d + 1 : ((-0.5 * d + 2.5) * d - 4) * d + 2;
}

/** Lays out the kernels' working memory; every address is a multiple of 16. */
function layMemory(
  sourceWidth: number,
  width: number,
  { across, down }: { readonly across: AxisPlan; readonly down: AxisPlan },
) {
  let end = kernels.freeMemory.value;
  const place = (bytes: number): number => {
    const at = end;
    end += Math.ceil(bytes / PIXEL_BYTES) * PIXEL_BYTES;
    return at;
  };
  const memory = {
    source: place(4 * sourceWidth),
    work: place(PIXEL_BYTES * sourceWidth),
    plan: place(4 * width * (across.taps + 1)),
    lines: place(PIXEL_BYTES * width * down.taps),
    rows: place(4 * down.taps),
    weights: place(4 * down.taps),
    target: place(4 * width),
  };
  ensureMemory(kernels, end);
  return memory;
}

function writeAcross({ taps, starts, weights }: AxisPlan, target: DataView): void {
  let at = 0;
  for (const [i, start] of starts.entries()) {
    target.setUint32(at, start, true);
    at += 4;
    for (let k = 0; k < taps; k++, at += 4) target.setFloat32(at, weights[i * taps + k]!, true);
  }
}
