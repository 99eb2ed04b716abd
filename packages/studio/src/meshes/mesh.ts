/** Triangle meshes with smooth normals: building them from grids, joining and transforming them. */

/** World units: a product is 1 high or, if its aspect ratio exceeds 1.3, 1.35 wide. +y is up; the view is along -z. */
export type Vec3 = readonly [x: number, y: number, z: number];

/**
 * Positions and normals have three numbers per vertex, indices three vertices per triangle, counterclockwise seen from
 * outside.
 */
export interface Mesh {
  readonly positions: Float32Array;
  /** Unit vectors that point outward. */
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
}

/**
 * A grid of `columns` x `rows` points. `place` writes a point's x, y and z to `out` at `offset`. Normals are computed
 * from the triangles.
 */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
  /** Whether the last column connects to the first; `closedRows` is the same for rows. */
  readonly closedColumns?: boolean;
  readonly closedRows?: boolean;
  readonly place: (column: number, row: number, out: Float32Array, offset: number) => void;
}

export function makeGridMesh({ columns, rows, closedColumns, closedRows, place }: Grid): Mesh {
  const positions = new Float32Array(columns * rows * 3);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      place(column, row, positions, (row * columns + column) * 3);
    }
  }
  const acrossCount = closedColumns ? columns : columns - 1;
  const downCount = closedRows ? rows : rows - 1;
  const indices = new Uint32Array(acrossCount * downCount * 6);
  let next = 0;
  for (let row = 0; row < downCount; row++) {
    for (let column = 0; column < acrossCount; column++) {
      const a = row * columns + column;
      const b = row * columns + ((column + 1) % columns);
      const c = ((row + 1) % rows) * columns + ((column + 1) % columns);
      const d = ((row + 1) % rows) * columns + column;
      indices.set([a, b, c, a, c, d], next);
      next += 6;
    }
  }
  return smoothMesh(positions, indices);
}

/** Creates a mesh whose vertex normals are the area-weighted mean of the adjacent triangles' normals. */
export function smoothMesh(positions: Float32Array, indices: Uint32Array): Mesh {
  const normals = new Float32Array(positions.length);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i]! * 3;
    const b = indices[i + 1]! * 3;
    const c = indices[i + 2]! * 3;
    const ux = positions[b]! - positions[a]!;
    const uy = positions[b + 1]! - positions[a + 1]!;
    const uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[c]! - positions[a]!;
    const vy = positions[c + 1]! - positions[a + 1]!;
    const vz = positions[c + 2]! - positions[a + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    for (const vertex of [a, b, c]) {
      normals[vertex] = normals[vertex]! + nx;
      normals[vertex + 1] = normals[vertex + 1]! + ny;
      normals[vertex + 2] = normals[vertex + 2]! + nz;
    }
  }
  normalizeAll(normals);
  return { positions, normals, indices };
}

function normalizeAll(normals: Float32Array): void {
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!) || 1;
    normals[i] = normals[i]! / length;
    normals[i + 1] = normals[i + 1]! / length;
    normals[i + 2] = normals[i + 2]! / length;
  }
}

export function joinMeshes(meshes: readonly Mesh[]): Mesh {
  const coordinateCount = meshes.reduce((sum, { positions }) => sum + positions.length, 0);
  const indexCount = meshes.reduce((sum, { indices }) => sum + indices.length, 0);
  const positions = new Float32Array(coordinateCount);
  const normals = new Float32Array(coordinateCount);
  const indices = new Uint32Array(indexCount);
  let vertexAt = 0;
  let indexAt = 0;
  for (const mesh of meshes) {
    positions.set(mesh.positions, vertexAt);
    normals.set(mesh.normals, vertexAt);
    for (let i = 0; i < mesh.indices.length; i++) {
      indices[indexAt + i] = mesh.indices[i]! + vertexAt / 3;
    }
    vertexAt += mesh.positions.length;
    indexAt += mesh.indices.length;
  }
  return { positions, normals, indices };
}

export interface Move {
  readonly at: Vec3;
  readonly scale?: Vec3;
  /** Rotation in radians around x, then y, then z. */
  readonly turn?: Vec3;
}

/** Scales, then rotates around x, y and z, then translates. Normals are transformed by the inverse transpose. */
export function moveMesh(mesh: Mesh, { at, scale = [1, 1, 1], turn = [0, 0, 0] }: Move): Mesh {
  const m = turnMatrix(turn[0], turn[1], turn[2]);
  const positions = new Float32Array(mesh.positions.length);
  const normals = new Float32Array(mesh.normals.length);
  for (let i = 0; i < positions.length; i += 3) {
    const x = mesh.positions[i]! * scale[0];
    const y = mesh.positions[i + 1]! * scale[1];
    const z = mesh.positions[i + 2]! * scale[2];
    const nx = mesh.normals[i]! / scale[0];
    const ny = mesh.normals[i + 1]! / scale[1];
    const nz = mesh.normals[i + 2]! / scale[2];
    for (let axis = 0; axis < 3; axis++) {
      const r = axis * 3;
      positions[i + axis] = m[r]! * x + m[r + 1]! * y + m[r + 2]! * z + at[axis]!;
      normals[i + axis] = m[r]! * nx + m[r + 1]! * ny + m[r + 2]! * nz;
    }
  }
  normalizeAll(normals);
  return { positions, normals, indices: mesh.indices };
}

/** The rotation matrix Rz * Ry * Rx, row by row. */
function turnMatrix(rx: number, ry: number, rz: number): readonly number[] {
  const [sx, cx, sy, cy] = [Math.sin(rx), Math.cos(rx), Math.sin(ry), Math.cos(ry)];
  const [sz, cz] = [Math.sin(rz), Math.cos(rz)];
  return [
    cz * cy,
    cz * sy * sx - sz * cx,
    cz * sy * cx + sz * sx,
    sz * cy,
    sz * sy * sx + cz * cx,
    sz * sy * cx - cz * sx,
    -sy,
    cy * sx,
    cy * cx,
  ];
}
