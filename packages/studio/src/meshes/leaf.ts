/** The leaf that all plants use: two halves, folded along a midrib that bends under the leaf's weight. */
import { joinMeshes, type Mesh, makeGridMesh, type Vec3 } from './mesh.ts';

export interface Leaf {
  /** The midrib from base to tip; at least 3 points. */
  readonly path: readonly Vec3[];
  /** Maximum width of the leaf, in world units. */
  readonly width: number;
  /** Position of the maximum width along the midrib, 0.2 to 0.8. */
  readonly widest: number;
  /** Slenderness: at 0.4 the leaf is as round as a petal, at 1 as narrow as a lance; default 0.75. */
  readonly point?: number;
  /** Approximate direction of the upper side; need not be perpendicular to the path. */
  readonly up: Vec3;
  /** Height of the edges above the midrib, as a fraction of the half width. */
  readonly fold: number;
  /** Height that a bowl-shaped curvature adds at the edges, in the same unit as `fold`; default 0. */
  readonly cup?: number;
  /** Amplitude of the edge's waves, in the same unit as `fold`; default 0. */
  readonly wave?: number;
  /** Number of points across each half, 2 to 4; default 4. Two suffice for leaves that are a few pixels wide. */
  readonly columns?: number;
}

/** The two halves have separate normals at the midrib, so that it shows as a crease. */
export function makeLeaf(leaf: Leaf): Mesh {
  return joinMeshes([makeHalf(leaf, 1), makeHalf(leaf, -1)]);
}

function makeHalf(
  { path, width, widest, point = 0.75, up, fold, cup = 0, wave = 0, columns = 4 }: Leaf,
  side: 1 | -1,
): Mesh {
  const frames = path.map((_, i) => {
    const along = tangentOf(path, i);
    const across = unit(cross(along, up));
    return { across, over: cross(across, along) };
  });
  return makeGridMesh({
    columns,
    rows: path.length,
    place: (column, row, out, offset) => {
      const t = row / (path.length - 1);
      const half = (width / 2) * leafProfile(t, widest) ** point;
      // Columns run from midrib to edge in the right half, and from edge to midrib in the left half, so that both
      // halves face up.
      const share = (side === 1 ? column : columns - 1 - column) / (columns - 1);
      const bowl = cup + wave * Math.sin(11 * t + 2.2 * side);
      const lift = half * share * (fold + bowl * share);
      const { across, over } = frames[row]!;
      for (let axis = 0; axis < 3; axis++) {
        out[offset + axis] = path[row]![axis]! + side * share * half * across[axis]! + lift * over[axis]!;
      }
    },
  });
}

/** Relative width of a leaf at position `t`: about 0 at both ends, 1 at `widest`. */
function leafProfile(t: number, widest: number): number {
  const power = Math.log(0.5) / Math.log(widest);
  return Math.max(0.0006, Math.sin(Math.PI * Math.min(1, t ** power)));
}

export interface Droop {
  readonly from: Vec3;
  readonly direction: Vec3;
  readonly length: number;
  /**
   * The line bends toward `pull`. The longer this vector and the larger `sag`, the more it bends. If `sag` is 0, the
   * line is straight. If it is 1 and `pull` is a unit vector, the line's end points about halfway between `direction`
   * and `pull`.
   */
  readonly pull: Vec3;
  readonly sag: number;
  readonly count: number;
}

/** A line that starts in one direction and bends increasingly toward another. */
export function droop({ from, direction, length, pull, sag, count }: Droop): Vec3[] {
  const points: Vec3[] = [from];
  let [x, y, z] = from;
  const step = length / (count - 1);
  const start = unit(direction);
  for (let i = 1; i < count; i++) {
    const bent = sag * (i / (count - 1)) ** 1.4;
    const [dx, dy, dz] = unit([
      start[0] + bent * pull[0],
      start[1] + bent * pull[1],
      start[2] + bent * pull[2],
    ]);
    x += dx * step;
    y += dy * step;
    z += dz * step;
    points.push([x, y, z]);
  }
  return points;
}

/** A round stalk that tapers to a third of its radius. */
export function makeStalk(points: readonly Vec3[], radius: number): Mesh {
  const sides = 6;
  const last = points.length - 1;
  return makeGridMesh({
    columns: sides,
    rows: points.length,
    closedColumns: true,
    place: (column, row, out, offset) => {
      const along = tangentOf(points, row);
      const across = unit(cross(along, Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
      const over = cross(across, along);
      const angle = (2 * Math.PI * column) / sides;
      const r = radius * (1 - (0.67 * row) / last);
      for (let axis = 0; axis < 3; axis++) {
        out[offset + axis] =
          points[row]![axis]! + r * (Math.cos(angle) * across[axis]! + Math.sin(angle) * over[axis]!);
      }
    },
  });
}

/** Point at the fraction `t` of a line, and the direction of the line there. */
export function follow(line: readonly Vec3[], t: number): { at: Vec3; along: Vec3 } {
  const place = Math.min(line.length - 1.001, Math.max(0, t * (line.length - 1)));
  const i = Math.floor(place);
  const [a, b] = [line[i]!, line[i + 1]!];
  const share = place - i;
  const at: Vec3 = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
  return { at, along: unit([b[0] - a[0], b[1] - a[1], b[2] - a[2]]) };
}

function tangentOf(line: readonly Vec3[], i: number): Vec3 {
  const a = line[Math.max(0, i - 1)]!;
  const b = line[Math.min(line.length - 1, i + 1)]!;
  return unit([b[0] - a[0], b[1] - a[1], b[2] - a[2]]);
}

export function unit([x, y, z]: Vec3): Vec3 {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
