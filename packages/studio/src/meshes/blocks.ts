/** Geometric shapes with rounded edges: boxes, arches, upright panels and discs. */
import { joinMeshes, type Mesh, makeGridMesh, moveMesh, smoothMesh } from './mesh.ts';
import { makeCylinder } from './revolve.ts';

const BEVEL_STEPS = 4;

/** A box that stands on y = 0, centered in x and z. All edges are rounded except the four at the bottom. */
export function makeBox(width: number, height: number, depth: number, bevel: number): Mesh {
  const b = Math.min(bevel, width / 2.01, height / 2.01, depth / 2.01);
  const outline = roundedRectangle(width / 2, depth / 2, b);
  const rings: { inset: number; y: number }[] = [
    { inset: 0, y: 0 },
    { inset: 0, y: (height - b) / 2 },
    { inset: 0, y: height - b },
  ];
  for (let i = 1; i <= BEVEL_STEPS; i++) {
    const angle = (i / BEVEL_STEPS) * (Math.PI / 2);
    rings.push({ inset: b * (1 - Math.cos(angle)), y: height - b + b * Math.sin(angle) });
  }
  const shell = makeGridMesh({
    columns: outline.length,
    rows: rings.length,
    closedColumns: true,
    place: (column, row, out, offset) => {
      const [x, z, nx, nz] = outline[column]!;
      const { inset, y } = rings[row]!;
      out[offset] = x - nx * inset;
      out[offset + 1] = y;
      out[offset + 2] = z - nz * inset;
    },
  });
  return joinMeshes([shell, makePlate(width / 2 - b, depth / 2 - b, height)]);
}

function makePlate(halfWidth: number, halfDepth: number, y: number): Mesh {
  return makeGridMesh({
    columns: 2,
    rows: 2,
    place: (column, row, out, offset) => {
      out[offset] = column === 0 ? -halfWidth : halfWidth;
      out[offset + 1] = y;
      out[offset + 2] = row === 0 ? halfDepth : -halfDepth;
    },
  });
}

/**
 * Points (x, z) with their outward unit direction. Seen from above, the order is counterclockwise, so that faces
 * extruded upward point outward.
 */
function roundedRectangle(halfX: number, halfZ: number, radius: number): [number, number, number, number][] {
  const points: [number, number, number, number][] = [];
  for (let corner = 0; corner < 4; corner++) {
    for (let i = 0; i <= BEVEL_STEPS; i++) {
      const angle = -(corner + i / BEVEL_STEPS) * (Math.PI / 2);
      const [nx, nz] = [Math.cos(angle), Math.sin(angle)];
      const signX = corner === 0 || corner === 3 ? 1 : -1;
      const signZ = corner < 2 ? -1 : 1;
      points.push([signX * (halfX - radius) + nx * radius, signZ * (halfZ - radius) + nz * radius, nx, nz]);
    }
  }
  return points;
}

/** An open arch: a rounded rectangular cross-section swept up, around the semicircle, and down. */
export function makeArch(width: number, height: number, thickness: number, depth: number): Mesh {
  const middle = width / 2 - thickness / 2;
  const spring = height - width / 2;
  const bevel = Math.min(0.03, thickness / 4, depth / 4);
  const section = roundedRectangle(thickness / 2, depth / 2, bevel);
  const path: [x: number, y: number, outX: number, outY: number][] = [];
  path.push([middle, 0, 1, 0], [middle, spring * 0.98, 1, 0]);
  const arcSteps = 48;
  for (let i = 0; i <= arcSteps; i++) {
    const angle = (Math.PI * i) / arcSteps;
    path.push([
      middle * Math.cos(angle),
      spring + middle * Math.sin(angle),
      Math.cos(angle),
      Math.sin(angle),
    ]);
  }
  path.push([-middle, spring * 0.98, -1, 0], [-middle, 0, -1, 0]);
  return makeGridMesh({
    columns: section.length,
    rows: path.length,
    closedColumns: true,
    place: (column, row, out, offset) => {
      const [x, y, outX, outY] = path[row]!;
      const [across, z] = section[column]!;
      out[offset] = x + outX * across;
      out[offset + 1] = y + outY * across;
      out[offset + 2] = z;
    },
  });
}

/** An upright panel with a semicircular top, and a bevel along the edge of its front. */
export function makePanel(width: number, height: number, depth: number): Mesh {
  const r = width / 2;
  const spring = Math.max(0.01, height - r);
  const outline: [x: number, y: number, nx: number, ny: number][] = [
    [r, 0, 1, 0],
    [r, spring * 0.98, 1, 0],
  ];
  for (let i = 0; i <= 40; i++) {
    const angle = (Math.PI * i) / 40;
    outline.push([r * Math.cos(angle), spring + r * Math.sin(angle), Math.cos(angle), Math.sin(angle)]);
  }
  outline.push([-r, spring * 0.98, -1, 0], [-r, 0, -1, 0]);
  return extrude(outline, depth, Math.min(0.03, depth / 3));
}

/**
 * Extrudes an outline along z. `outline` is convex, and counterclockwise seen from the camera. The front edge is
 * rounded; the back has no faces.
 */
function extrude(outline: readonly [number, number, number, number][], depth: number, bevel: number): Mesh {
  const rings: { inset: number; z: number }[] = [{ inset: 0, z: -depth / 2 }];
  for (let i = 0; i <= BEVEL_STEPS; i++) {
    const angle = (i / BEVEL_STEPS) * (Math.PI / 2);
    rings.push({ inset: bevel * (1 - Math.cos(angle)), z: depth / 2 - bevel + bevel * Math.sin(angle) });
  }
  rings.push({ inset: bevel * 1.2, z: depth / 2 });
  const rim = makeGridMesh({
    columns: outline.length,
    rows: rings.length,
    place: (column, row, out, offset) => {
      const [x, y, nx, ny] = outline[column]!;
      const { inset, z } = rings[row]!;
      out[offset] = x - nx * inset;
      out[offset + 1] = Math.max(0, y - ny * inset);
      out[offset + 2] = z;
    },
  });
  const faceCount = outline.length;
  const face = new Float32Array(faceCount * 3);
  for (const [i, [x, y, nx, ny]] of outline.entries()) {
    face.set([x - nx * bevel, Math.max(0, y - ny * bevel), depth / 2], i * 3);
  }
  const indices = new Uint32Array((faceCount - 2) * 3);
  for (let i = 1; i < faceCount - 1; i++) {
    indices.set([0, i, i + 1], (i - 1) * 3);
  }
  return joinMeshes([rim, smoothMesh(face, indices)]);
}

/** A round plate standing on its edge, facing the camera; y = 0 is its lowest point. */
export function makeDisc(radius: number, depth: number): Mesh {
  const lying = makeCylinder(radius, depth, Math.min(0.03, depth / 3));
  return moveMesh(lying, { at: [0, radius, -depth / 2], turn: [Math.PI / 2, 0, 0] });
}
