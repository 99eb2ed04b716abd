/**
 * Gobos: patterns between the key light and the set, such as a window, palm leaves, blinds or a slit. Each is a
 * function that gives the transmitted fraction of light at a position in a plane perpendicular to the light.
 */

import { smoothstep } from 'packshot-pixels';
import { makeFoliageShade, makePalmShade, type Shade } from './gobo-leaves.ts';
import type { Vec3 } from './meshes/mesh.ts';
import type { Gobo, KeyLight } from './studio-scene.ts';

/** Fraction of light, 0 to 1, that reaches `(x, y, z)` from the direction `(wx, wy, wz)`. */
export type Transmission = (x: number, y: number, z: number, wx: number, wy: number, wz: number) => number;

/** Unit vectors: `direction` toward the light, and two perpendicular to it, of which `across` is horizontal. */
export function keyAxes(key: KeyLight): Record<'direction' | 'across' | 'upward', Vec3> {
  const az = (key.az * Math.PI) / 180;
  const el = (key.el * Math.PI) / 180;
  const [x, y, z] = [Math.sin(az) * Math.cos(el), Math.sin(el), Math.cos(az) * Math.cos(el)];
  const flat = Math.hypot(x, z) || 1;
  return {
    direction: [x, y, z],
    across: [z / flat, 0, -x / flat],
    upward: [-y * (x / flat), flat, -y * (z / flat)],
  };
}

export function makeTransmission(gobo: Gobo | undefined, key: KeyLight): Transmission {
  if (gobo === undefined) {
    return () => 1;
  }
  const pattern = makePattern(gobo);
  const { direction: w, across: right, upward: up } = keyAxes(key);
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

const BLINDS_WIDTH = 2.2;

function makePattern(gobo: Gobo): Shade {
  switch (gobo.kind) {
    case 'window':
      return makeWindow(gobo);
    case 'palm':
      return makePalmShade(gobo.fronds, gobo.seed);
    case 'blinds': {
      const { period, open } = gobo;
      return (a, b) => {
        const across = Math.abs(b / period - Math.round(b / period));
        return (
          smoothstep(open / 2 + 0.05, open / 2 - 0.05, across) *
          smoothstep(BLINDS_WIDTH / 2 + 0.02, BLINDS_WIDTH / 2 - 0.02, Math.abs(a))
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

function makeWindow(gobo: Extract<Gobo, { kind: 'window' }>): Shade {
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
