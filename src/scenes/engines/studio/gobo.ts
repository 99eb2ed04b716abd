/** Patterns between the key light and the set: window, palm, blinds and slit, as transmission in the light's plane. */

import type { Vec3 } from './meshes/mesh.ts';
import { hashInteger, hashUnit, noise, smoothstep } from './noise.ts';
import type { Gobo, KeyLight } from './studio-scene.ts';

/** Share of light, 0 to 1, that passes towards `(x, y, z)` from the direction `(wx, wy, wz)`. */
export type Transmission = (x: number, y: number, z: number, wx: number, wy: number, wz: number) => number;

/** Unit vector towards the light. */
export function keyDirection({ azimuthDeg, elevationDeg }: KeyLight): Vec3 {
  const az = (azimuthDeg * Math.PI) / 180;
  const el = (elevationDeg * Math.PI) / 180;
  return [Math.sin(az) * Math.cos(el), Math.sin(el), Math.cos(az) * Math.cos(el)];
}

export function makeTransmission(gobo: Gobo | undefined, key: KeyLight): Transmission {
  if (gobo === undefined) {
    return () => 1;
  }
  const pattern = makePattern(gobo);
  const w = keyDirection(key);
  // The light's frame: `right` is level, `up` completes it.
  const flat = Math.hypot(w[0], w[2]) || 1;
  const right: Vec3 = [w[2] / flat, 0, -w[0] / flat];
  const up: Vec3 = [-w[1] * (w[0] / flat), flat, -w[1] * (w[2] / flat)];
  const { target, distance, leak } = gobo;
  const cos = Math.cos(gobo.turn) / gobo.scale;
  const sin = Math.sin(gobo.turn) / gobo.scale;
  const [tx, ty, tz] = [
    target[0] + w[0] * distance,
    target[1] + w[1] * distance,
    target[2] + w[2] * distance,
  ];
  return (x, y, z, wx, wy, wz) => {
    const px = x + wx * distance - tx;
    const py = y + wy * distance - ty;
    const pz = z + wz * distance - tz;
    const u = px * right[0] + pz * right[2];
    const v = px * up[0] + py * up[1] + pz * up[2];
    return leak + (1 - leak) * pattern(u * cos + v * sin, v * cos - u * sin);
  };
}

type Pattern = (a: number, b: number) => number;

function makePattern(gobo: Gobo): Pattern {
  switch (gobo.kind) {
    case 'window':
      return makeWindow(gobo);
    case 'palm':
      return makePalmShade(gobo.fronds, gobo.seed);
    case 'blinds': {
      const { period, open, width } = gobo;
      return (a, b) => {
        const across = Math.abs(b / period - Math.round(b / period));
        return (
          smoothstep(open / 2 + 0.05, open / 2 - 0.05, across) *
          smoothstep(width / 2 + 0.02, width / 2 - 0.02, Math.abs(a))
        );
      };
    }
    case 'foliage':
      return makeFoliageShade(gobo.leafSize, gobo.density, gobo.seed);
    case 'slit': {
      const { width, softness } = gobo;
      return (a) => smoothstep(width / 2 + softness, width / 2 - softness, Math.abs(a));
    }
  }
}

/** Scenes, A4. */
function makeWindow(gobo: Extract<Gobo, { kind: 'window' }>): Pattern {
  const { columns, rows, paneWidth, paneHeight, bar } = gobo;
  return (a, b) => {
    const tx = a / paneWidth + columns / 2;
    const ty = b / paneHeight + rows / 2;
    if (tx < 0 || tx > columns || ty < 0 || ty > rows) {
      return 0;
    }
    const dx = paneWidth / 2 - bar / 2 - Math.abs(tx - Math.floor(tx) - 0.5) * paneWidth;
    const dy = paneHeight / 2 - bar / 2 - Math.abs(ty - Math.floor(ty) - 0.5) * paneHeight;
    return smoothstep(-0.015, 0.015, dx) * smoothstep(-0.015, 0.015, dy);
  };
}

/** Scenes, A4: fronds fanned by 0.55 rad from a point outside the target, leaflets as sheared stripes along the stem. */
function makePalmShade(count: number, seed: number): Pattern {
  const length = 2.3;
  const fronds = Array.from({ length: count }, (_, i) => {
    const random = (salt: number): number => hashUnit(seed * 131 + i * 17 + salt);
    const angle = (i - (count - 1) / 2) * 0.55 + 0.22 * (random(1) - 0.5);
    return {
      cos: Math.cos(angle),
      sin: Math.sin(angle),
      phase: random(2),
      length: length * (0.85 + 0.3 * random(3)),
    };
  });
  return (a, b) => {
    let open = 1;
    for (const frond of fronds) {
      const x = (a + 1.15) * frond.cos + b * frond.sin;
      const along = b * frond.cos - (a + 1.15) * frond.sin - 0.12 * x * x;
      open = Math.min(open, passLeaflets(x, along, frond.length, frond.phase));
    }
    return open;
  };
}

function passLeaflets(x: number, y: number, length: number, phase: number): number {
  const side = Math.abs(y);
  if (x < 0 || side > 0.62 * length) {
    return 1;
  }
  const position = (x - 0.75 * side) / 0.15 + phase + (y > 0 ? 0.5 : 0);
  const leaflet = Math.floor(position);
  const base = (leaflet - phase + 0.5) * 0.15;
  if (base < -0.1 || base > length) {
    return x < length ? 1 - smoothstep(0.02, 0.008, side) : 1;
  }
  const jitter = 0.9 + 0.2 * hashUnit(leaflet * 7 + (y > 0 ? 3 : 0));
  const reach = 0.5 * length * Math.sin(Math.PI * (0.12 + 0.85 * (base / length))) * jitter;
  const q = side / Math.max(1e-3, reach);
  const half = q < 1 ? 0.4 * (1 - q) ** 0.55 * Math.min(1, 5 * q + 0.3) : 0;
  const across = Math.abs(position - leaflet - 0.5);
  const blade = smoothstep(half + 0.05, half - 0.05, across) * (half > 0 ? 1 : 0);
  const stem = x < length ? smoothstep(0.02, 0.008, side) : 0;
  return 1 - Math.max(blade, stem);
}

/** Leaves in drifts: one per cell of a grid, pointed ellipses that hang the same way give or take half a radian. */
function makeFoliageShade(leafSize: number, density: number, seed: number): Pattern {
  const cell = 0.62 * leafSize;
  return (a, b) => {
    const column = Math.floor(a / cell);
    const row = Math.floor(b / cell);
    let open = 1;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const h = hashInteger(Math.imul(column + dx, 73856093) ^ Math.imul(row + dy, 19349663) ^ seed);
        // Branches come in bands: gaps between them let the sun through in patches.
        const band = noise((column + dx) * cell * 1.1 + seed, (row + dy) * cell * 1.1, 2.7);
        if ((h & 1023) / 1023 > density + 0.9 * band) {
          continue;
        }
        const angle = 0.7 + 1.1 * (((h >>> 10) & 255) / 255 - 0.5);
        const x = a - (column + dx + ((h >>> 18) & 127) / 127) * cell;
        const y = b - (row + dy + ((h >>> 25) & 127) / 127) * cell;
        const along = (x * Math.cos(angle) + y * Math.sin(angle)) / (0.5 * leafSize);
        const across = (y * Math.cos(angle) - x * Math.sin(angle)) / (0.17 * leafSize);
        const edge = Math.abs(across) - (1 - along * along);
        open = Math.min(open, smoothstep(-0.15, 0.1, edge));
      }
    }
    return open;
  };
}
