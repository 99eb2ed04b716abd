/** The shapes of a set as data, and their conversion to meshes. */
import { makeArch, makeBox, makeDisc, makePanel } from './blocks.ts';
import { type Curtain, type Drape, makeCurtain, makeDrape } from './cloth.ts';
import { makeBranch, makeOlive, makePalm, makePampas, makePetals } from './foliage.ts';
import { makeDune, makeFloor, makeWall, type Plot } from './ground.ts';
import type { Mesh } from './mesh.ts';
import { makeMonstera } from './monstera.ts';
import { makeCylinder, makePot, makeSphere, makeVase } from './revolve.ts';
import { makeStone } from './stone.ts';

/** A shape, in world units. `bevel` is the radius of a rounded edge; 0.012 to 0.04 looks handmade. */
export type Shape =
  | { readonly kind: 'cylinder'; readonly radius: number; readonly height: number; readonly bevel: number }
  | {
      readonly kind: 'box';
      readonly width: number;
      readonly height: number;
      readonly depth: number;
      readonly bevel: number;
    }
  | {
      readonly kind: 'arch';
      readonly width: number;
      readonly height: number;
      readonly thickness: number;
      readonly depth: number;
    }
  | { readonly kind: 'disc'; readonly radius: number; readonly depth: number }
  | { readonly kind: 'panel'; readonly width: number; readonly height: number; readonly depth: number }
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'pot'; readonly radius: number; readonly height: number; readonly flare: number }
  | { readonly kind: 'vase'; readonly radius: number; readonly height: number }
  | { readonly kind: 'stone'; readonly radius: number; readonly seed: number; readonly topY?: number }
  | { readonly kind: 'branch'; readonly length: number; readonly leafWidth: number; readonly seed: number }
  | {
      readonly kind: 'olive' | 'palm' | 'monstera' | 'pampas';
      readonly length: number;
      readonly seed: number;
    }
  | {
      readonly kind: 'petals';
      readonly count: number;
      readonly size: number;
      readonly spread: number;
      readonly seed: number;
    }
  | { readonly kind: 'dune'; readonly plot: Plot; readonly amplitude: number; readonly seed: number }
  | ({ readonly kind: 'drape' } & Drape)
  | ({ readonly kind: 'curtain' } & Curtain)
  | { readonly kind: 'plane'; readonly size: number }
  | { readonly kind: 'floor'; readonly size: number };

export function makeMesh(shape: Shape): Mesh {
  switch (shape.kind) {
    case 'cylinder':
      return makeCylinder(shape.radius, shape.height, shape.bevel);
    case 'box':
      return makeBox(shape.width, shape.height, shape.depth, shape.bevel);
    case 'arch':
      return makeArch(shape.width, shape.height, shape.thickness, shape.depth);
    case 'disc':
      return makeDisc(shape.radius, shape.depth);
    case 'panel':
      return makePanel(shape.width, shape.height, shape.depth);
    case 'sphere':
      return makeSphere(shape.radius);
    case 'pot':
      return makePot(shape.radius, shape.height, shape.flare);
    case 'vase':
      return makeVase(shape.radius, shape.height);
    case 'stone':
      return makeStone(shape.radius, shape.seed, shape.topY);
    case 'branch':
      return makeBranch(shape.length, shape.leafWidth, shape.seed);
    case 'olive':
      return makeOlive(shape.length, shape.seed);
    case 'palm':
      return makePalm(shape.length, shape.seed);
    case 'monstera':
      return makeMonstera(shape.length, shape.seed);
    case 'pampas':
      return makePampas(shape.length, shape.seed);
    case 'petals':
      return makePetals(shape.count, shape.size, shape.spread, shape.seed);
    case 'dune':
      return makeDune(shape.plot, shape.amplitude, shape.seed);
    case 'drape':
      return makeDrape(shape);
    case 'curtain':
      return makeCurtain(shape);
    case 'floor':
      return makeFloor({ fromX: -shape.size, toX: shape.size, fromZ: -shape.size, toZ: shape.size });
    case 'plane':
      return makeWall({ fromX: -shape.size, toX: shape.size }, -shape.size, shape.size, 0);
  }
}
