/** Creates a material from its settings, with the defaults of its kind, and measures its mean color. */
import { linearColor } from 'packshot-pixels';
import type { MaterialSettings } from '../studio-scene.ts';
import type { Material, Surface } from './material.ts';
import {
  makeConcrete,
  makeMarble,
  makePebble,
  makePlaster,
  makeSand,
  makeTerrazzo,
  makeTravertine,
} from './mineral.ts';
import { laySlabs } from './slabs.ts';
import { makeLacquer, makeMattePaint, makeMetal, makeWater } from './smooth.ts';
import { makeLeaf, makeLinen, makePetal, makeSatin } from './wood-and-cloth.ts';
import { makeBoards, makeWear, paintWorn } from './worn.ts';

export function makeMaterial(settings: MaterialSettings): Material {
  const solid = turnSurface(moveSurface(makeSurface(settings), settings.cutFrom), settings.boardTurn);
  const surface = wearSurface(settings.slabs ? laySlabs(solid, settings.slabs) : solid, settings.wear);
  return {
    ...surface,
    kind: settings.kind,
    roughness: settings.roughness ?? surface.roughness,
    bump: (surface.bump ?? 0) * (settings.relief ?? 1),
    translucency: surface.translucency ?? 0,
    meanAlbedo: measureMean(surface),
  };
}

function wearSurface(surface: Surface, amount = 0): Surface {
  if (amount === 0) {
    return surface;
  }
  const wear = makeWear(amount);
  return { ...surface, paint: paintWorn(surface.paint, wear), gloss: wear.gloss };
}

function makeSurface(settings: MaterialSettings): Surface {
  const { kind, scale = 1 } = settings;
  const color = linearColor(settings.color);
  const second = settings.secondColor === undefined ? undefined : linearColor(settings.secondColor);
  const shaded = (factor: number): number[] => color.map((channel) => channel * factor);
  switch (kind) {
    case 'plaster':
      return makePlaster(color, scale);
    case 'matte':
      return makeMattePaint(color);
    case 'lacquer':
      return makeLacquer(color);
    case 'marble':
      return makeMarble(color, second ?? shaded(0.3), scale);
    case 'travertine':
      return makeTravertine(color, second ?? shaded(0.65), scale);
    case 'wood':
      return makeBoards(color, second ?? shaded(0.45), scale, {
        width: settings.plankWidth ?? 0.45,
        length: settings.plankLength,
      });
    case 'concrete':
      return makeConcrete(color, scale);
    case 'terrazzo':
      return makeTerrazzo(color, (settings.chips ?? ['#8c8f98', '#d9c7a8']).map(linearColor), scale);
    case 'linen':
      return makeLinen(color, scale);
    case 'sand':
      return makeSand(color, scale);
    case 'stone':
      return makePebble(color, scale);
    case 'satin':
      return makeSatin(color, scale);
    case 'water':
      return makeWater(color, scale);
    case 'metal':
      return makeMetal(color);
    case 'leaf':
      return makeLeaf(
        color,
        second ?? color.map((channel, i) => Math.min(0.9, channel * [1.5, 1.35, 1.3][i]!)),
      );
    case 'petal':
      return makePetal(color, second ?? shaded(1.2));
  }
}

function moveSurface(surface: Surface, from: MaterialSettings['cutFrom']): Surface {
  if (from === undefined) {
    return surface;
  }
  const [dx, dy, dz] = from;
  const { paint, relief } = surface;
  return {
    ...surface,
    paint: (x, y, z, finest, out) => paint(x + dx, y + dy, z + dz, finest, out),
    ...(relief === undefined ? {} : { relief: (x, y, z, finest) => relief(x + dx, y + dy, z + dz, finest) }),
  };
}

/**
 * Rotates a material by `turn` radians about the vertical axis if it has a grain; all others are isotropic and stay as
 * they are.
 */
function turnSurface(surface: Surface, turn = 0): Surface {
  if (turn === 0 || surface.across === undefined) {
    return surface;
  }
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const { paint, relief } = surface;
  return {
    ...surface,
    across: [sin, cos],
    paint: (x, y, z, finest, out) => paint(cos * x - sin * z, y, sin * x + cos * z, finest, out),
    ...(relief === undefined
      ? {}
      : { relief: (x, y, z, finest) => relief(cos * x - sin * z, y, sin * x + cos * z, finest) }),
  };
}

/**
 * Averages the color over a block of points in the middle of the set; with 6 x 6 x 6 points, the result is within 2 %
 * of the true mean for every kind.
 */
function measureMean(surface: Surface): Float64Array {
  const sum = new Float64Array(3);
  const point = new Float64Array(3);
  const steps = 6;
  for (let i = 0; i < steps ** 3; i++) {
    const x = -1.3 + 0.47 * (i % steps);
    const y = 0.1 + 0.31 * (Math.floor(i / steps) % steps);
    const z = -2 + 0.43 * Math.floor(i / steps / steps);
    surface.paint(x, y, z, 0.01, point);
    for (let c = 0; c < 3; c++) {
      sum[c] = sum[c]! + point[c]!;
    }
  }
  return sum.map((channel) => channel / steps ** 3);
}
