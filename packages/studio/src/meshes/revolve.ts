/** Surfaces of revolution: cylinders with bevels, spheres, pots and vases. */
import { joinMeshes, type Mesh, makeGridMesh } from './mesh.ts';

/** Segments around the axis: facets of 5 degrees look smooth in a picture of 2000 px. */
const SEGMENTS = 72;
const BEVEL_STEPS = 5;

/**
 * Pairs of radius and height along the outline, in this direction: outward along the underside, up the outside, inward
 * over the top, down the inside. Normals are smooth within a profile, but not from one profile to the next.
 */
type Profile = readonly (readonly [radius: number, y: number])[];

export function revolve(runs: readonly Profile[], segments = SEGMENTS): Mesh {
  return joinMeshes(
    runs.map((run) =>
      makeGridMesh({
        columns: segments,
        rows: run.length,
        closedColumns: true,
        place: (column, row, out, offset) => {
          const [radius, y] = run[row]!;
          const angle = (-2 * Math.PI * column) / segments;
          out[offset] = radius * Math.cos(angle);
          out[offset + 1] = y;
          out[offset + 2] = radius * Math.sin(angle);
        },
      }),
    ),
  );
}

/**
 * A cylinder with a bevel at the top. There is none at the bottom, where a bevel would cause scalloped dark lines on
 * the ground.
 */
export function makeCylinder(radius: number, height: number, bevel: number): Mesh {
  const b = Math.min(bevel, radius / 2, height / 2);
  const side: [number, number][] = [
    [radius, 0],
    [radius, (height - b) * 0.5],
    [radius, height - b],
  ];
  const top: [number, number][] = [];
  for (let i = 0; i <= BEVEL_STEPS; i++) {
    const angle = (i / BEVEL_STEPS) * (Math.PI / 2);
    top.push([radius - b + b * Math.cos(angle), height - b + b * Math.sin(angle)]);
  }
  const inner = radius - b;
  const lid: [number, number][] = [
    [inner, height],
    [inner * 0.98, height],
    [inner * 0.5, height],
    [1e-4, height],
  ];
  const foot: [number, number][] = [
    [1e-4, 0],
    [radius, 0],
  ];
  return revolve([side, top, lid, foot]);
}

export function makeSphere(radius: number): Mesh {
  const rows = 37;
  const run: [number, number][] = [];
  for (let i = 0; i < rows; i++) {
    const angle = -Math.PI / 2 + (Math.PI * i) / (rows - 1);
    run.push([Math.max(1e-4, radius * Math.cos(angle)), radius * Math.sin(angle)]);
  }
  return revolve([run]);
}

/** A pot with a lip, filled with soil; `flare` is the radius of the lip divided by the radius of the foot. */
export function makePot(radius: number, height: number, flare: number): Mesh {
  const lip = radius * flare;
  const wall = radius * 0.09;
  const outside: [number, number][] = [];
  for (let i = 0; i <= 10; i++) {
    const t = i / 10;
    outside.push([radius + (lip - radius) * (t * t * (3 - 2 * t)), height * t * 0.97]);
  }
  const rim: [number, number][] = [];
  for (let i = 0; i <= 6; i++) {
    const angle = (i / 6) * Math.PI;
    rim.push([lip - wall / 2 + (wall / 2) * Math.cos(angle), height * 0.97 + (wall / 2) * Math.sin(angle)]);
  }
  const inside: [number, number][] = [
    [lip - wall, height * 0.97],
    [lip - wall, height * 0.86],
    [lip - wall - 1e-3, height * 0.85],
    [1e-4, height * 0.87],
  ];
  return revolve([outside, rim, inside]);
}

/** Radii of a vase, relative to the radius of its belly, at equally spaced heights from foot to lip. */
const VASE_OUTLINE = [0.5, 0.78, 0.95, 1, 0.95, 0.8, 0.57, 0.37, 0.29, 0.29, 0.38] as const;

/** A vase with a round belly and a narrow neck that opens toward its lip. */
export function makeVase(radius: number, height: number): Mesh {
  const steps = 60;
  const run: [number, number][] = [];
  for (let i = 0; i <= steps; i++) {
    run.push([radius * smoothAt(VASE_OUTLINE, i / steps), (height * i) / steps]);
  }
  const mouth = run[steps]![0];
  return revolve([
    run,
    [
      [mouth, height],
      [mouth * 0.86, height],
    ],
    [
      [mouth * 0.86, height],
      [mouth * 0.7, height * 0.8],
      [mouth * 0.7, height * 0.6],
    ],
  ]);
}

/** Catmull-Rom spline (1974) through equally spaced values, at the fraction `t`. */
function smoothAt(values: readonly number[], t: number): number {
  const last = values.length - 1;
  const i = Math.min(last - 1, Math.floor(t * last));
  const u = t * last - i;
  const [a, b] = [values[Math.max(0, i - 1)]!, values[i]!];
  const [c, d] = [values[i + 1]!, values[Math.min(last, i + 2)]!];
  return b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
}
