/** Pebbles and boulders: a sphere displaced by noise, with an optional flat top for a product. */
import { smoothstep } from 'packshot-pixels';
import { fbm, noise } from '../noise.ts';
import { type Mesh, makeGridMesh } from './mesh.ts';

const COLUMNS = 64;
const ROWS = 40;

/**
 * A stone centered on the origin. `topY` (in radii, 0.3 to 1) flattens the stone at that height, so that the product's
 * foot touches it everywhere.
 */
export function makeStone(radius: number, seed: number, topY: number | undefined): Mesh {
  const shift = 31.7 * seed;
  return makeGridMesh({
    columns: COLUMNS,
    rows: ROWS,
    closedColumns: true,
    place: (column, row, out, offset) => {
      const around = (-2 * Math.PI * column) / COLUMNS;
      const up = -Math.PI / 2 + (Math.PI * row) / (ROWS - 1);
      const ring = Math.max(1e-4, Math.cos(up));
      const [x, y, z] = [ring * Math.cos(around), Math.sin(up), ring * Math.sin(around)];
      const pushed =
        1 + 0.44 * fbm(1.1 * x + shift, 1.1 * y, 1.1 * z, 2, 0) + 0.05 * noise(4 * x + shift, 4 * y, 4 * z);
      out[offset] = radius * x * pushed;
      out[offset + 1] = radius * flatten(y * pushed, Math.hypot(x, z) * pushed, topY);
      out[offset + 2] = radius * z * pushed;
    },
  });
}

/**
 * Limits the height `y` of a point to the flat top, with a smooth transition that begins 0.12 below the top. Dents in
 * the middle are filled first, so that the top is level within 0.6 radii of the axis, which is enough for the widest
 * product.
 */
function flatten(y: number, away: number, topY: number | undefined): number {
  if (topY === undefined || y <= 0) {
    return y;
  }
  const filled = y + 0.35 * (1 - smoothstep(0.6, 0.95, away));
  const over = filled - (topY - 0.12);
  return over <= 0 ? filled : topY - 0.12 * (1 - smoothstep(0, 0.3, over)) ** 1.5;
}
