/**
 * Procedural noise in three dimensions: gradient noise, fractal sums, and cellular noise. It has no seed; callers shift
 * the position instead.
 */

const PERMUTATION = makePermutation();
// Perlin 2002, "Improving Noise": the twelve edge directions of a cube, four of them twice.
const GRADIENT_X = Float64Array.of(1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0, 1, 0, -1, 0);
const GRADIENT_Y = Float64Array.of(1, 1, -1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1);
const GRADIENT_Z = Float64Array.of(0, 0, 0, 0, 1, 1, -1, -1, 1, 1, -1, -1, 0, 1, 0, -1);

function makePermutation(): Uint8Array {
  const table = new Uint8Array(512);
  for (let i = 0; i < 256; i++) {
    table[i] = i;
  }
  for (let i = 255; i > 0; i--) {
    const j = hashInteger(i * 7919) % (i + 1);
    const kept = table[i]!;
    table[i] = table[j]!;
    table[j] = kept;
  }
  table.copyWithin(256, 0, 256);
  return table;
}

/**
 * Hashes an integer to an unsigned 32-bit integer with Wellons' `lowbias32`: every output bit depends on every input
 * bit.
 */
export function hashInteger(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Hashes an integer to a number from 0 (inclusive) to 1 (exclusive). */
export function hashUnit(value: number): number {
  return hashInteger(value) / 4294967296;
}

function gradientDot(hash: number, x: number, y: number, z: number): number {
  const i = hash & 15;
  return GRADIENT_X[i]! * x + GRADIENT_Y[i]! * y + GRADIENT_Z[i]! * z;
}

/** Gradient noise with a quintic fade curve: about -1 to 1, mean 0, one feature per unit of distance. */
export function noise(x: number, y: number, z: number): number {
  const floorX = Math.floor(x);
  const floorY = Math.floor(y);
  const floorZ = Math.floor(z);
  const fx = x - floorX;
  const fy = y - floorY;
  const fz = z - floorZ;
  const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
  const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
  const w = fz * fz * fz * (fz * (fz * 6 - 15) + 10);
  const ix = floorX & 255;
  const iy = floorY & 255;
  const iz = floorZ & 255;
  const a = PERMUTATION[ix]! + iy;
  const b = PERMUTATION[ix + 1]! + iy;
  const aa = PERMUTATION[a]! + iz;
  const ab = PERMUTATION[a + 1]! + iz;
  const ba = PERMUTATION[b]! + iz;
  const bb = PERMUTATION[b + 1]! + iz;
  const g000 = gradientDot(PERMUTATION[aa]!, fx, fy, fz);
  const g100 = gradientDot(PERMUTATION[ba]!, fx - 1, fy, fz);
  const g010 = gradientDot(PERMUTATION[ab]!, fx, fy - 1, fz);
  const g110 = gradientDot(PERMUTATION[bb]!, fx - 1, fy - 1, fz);
  const g001 = gradientDot(PERMUTATION[aa + 1]!, fx, fy, fz - 1);
  const g101 = gradientDot(PERMUTATION[ba + 1]!, fx - 1, fy, fz - 1);
  const g011 = gradientDot(PERMUTATION[ab + 1]!, fx, fy - 1, fz - 1);
  const g111 = gradientDot(PERMUTATION[bb + 1]!, fx - 1, fy - 1, fz - 1);
  const x00 = g000 + u * (g100 - g000);
  const x10 = g010 + u * (g110 - g010);
  const x01 = g001 + u * (g101 - g001);
  const x11 = g011 + u * (g111 - g011);
  const y0 = x00 + v * (x10 - x00);
  const y1 = x01 + v * (x11 - x01);
  return y0 + w * (y1 - y0);
}

/**
 * Contrast, 0 to 1, that a pattern with `cycles` periods per pixel should keep. If a pixel were an average over its
 * area, sin(pi c) / (pi c) would remain, where c is `cycles`: approximately 1 - 1.5 c^2. But our pixels are single
 * samples, so fine patterns would alias unless they fade earlier. So the result falls faster, and is 0 from about 0.65
 * periods per pixel.
 */
export function fadeOf(cycles: number): number {
  const share = 1 - 2.4 * cycles * cycles;
  return share > 0 ? share : 0;
}

/**
 * Fractal Brownian motion: octaves of halving size and weight, about -0.7 to 0.7. `finest` is the size of a pixel, in
 * the units of `x`, `y` and `z`. An octave whose period is close to the size of a pixel would alias, so it is faded out
 * (`fadeOf`).
 */
export function fbm(x: number, y: number, z: number, octaves: number, finest: number): number {
  let sum = 0;
  let weight = 0.5;
  let frequency = 1;
  for (let octave = 0; octave < octaves; octave++) {
    const share = fadeOf(frequency * finest);
    if (share === 0) {
      break;
    }
    const value = noise(
      x * frequency + 17.3 * octave,
      y * frequency + 5.9 * octave,
      z * frequency + 11.7 * octave,
    );
    sum += share * weight * value;
    weight *= 0.5;
    // The ratio is not exactly 2, so that the lattices of the octaves do not coincide.
    frequency *= 2.03;
  }
  return sum;
}

/** Result of `findCell`: distances to the nearest and second nearest point, and a hash of the nearest. */
export interface Cell {
  nearest: number;
  second: number;
  hash: number;
}

/**
 * Cellular noise (Worley 1996, "A cellular texture basis function") with one point per unit cube. Writes the result to
 * `cell`.
 */
export function findCell(x: number, y: number, z: number, cell: Cell): void {
  const [left, low, back] = [Math.floor(x) - 1, Math.floor(y) - 1, Math.floor(z) - 1];
  searchCells(x, y, z, [left, left + 2, low, low + 2, back, back + 2], cell);
}

/**
 * Like `findCell`, but finds only points within `reach` (0 to 1), which takes a tenth of the time if `reach` is small.
 * Returns false if there is no such point. `cell.second` is valid only if it is below `reach`.
 */
export function findPoint(x: number, y: number, z: number, reach: number, cell: Cell): boolean {
  const from = (v: number): number => Math.floor(v - Math.min(1, reach));
  const to = (v: number): number => Math.floor(v + Math.min(1, reach));
  searchCells(x, y, z, [from(x), to(x), from(y), to(y), from(z), to(z)], cell);
  return cell.nearest <= reach;
}

type CellRange = readonly [
  fromX: number,
  toX: number,
  fromY: number,
  toY: number,
  fromZ: number,
  toZ: number,
];

function searchCells(
  x: number,
  y: number,
  z: number,
  [fromX, toX, fromY, toY, fromZ, toZ]: CellRange,
  cell: Cell,
): void {
  let nearest = 9;
  let second = 9;
  let hash = 0;
  for (let cz = fromZ; cz <= toZ; cz++) {
    for (let cy = fromY; cy <= toY; cy++) {
      for (let cx = fromX; cx <= toX; cx++) {
        const h = hashInteger(
          Math.imul(cx, 0x8da6b343) ^ Math.imul(cy, 0xd8163841) ^ Math.imul(cz, 0xcb1ab31f),
        );
        const px = cx + (h & 1023) / 1023 - x;
        const py = cy + ((h >>> 10) & 1023) / 1023 - y;
        const pz = cz + ((h >>> 20) & 1023) / 1023 - z;
        const squared = px * px + py * py + pz * pz;
        if (squared < nearest) {
          second = nearest;
          nearest = squared;
          hash = h;
        } else if (squared < second) {
          second = squared;
        }
      }
    }
  }
  cell.nearest = Math.sqrt(nearest);
  cell.second = Math.sqrt(second);
  cell.hash = hash;
}
