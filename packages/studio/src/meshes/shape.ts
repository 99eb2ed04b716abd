/** The shapes of a set as data, and their conversion to meshes. */
import { makeArch, makeBox, makeDisc, makePanel } from './blocks.ts';
import { type Curtain, type Drape, makeCurtain, makeDrape } from './cloth.ts';
import { makeBranch, makeOlive, makePalm, makePampas, makePetals } from './foliage.ts';
import { makeDune, makeFloor, makeWall, type Plot } from './ground.ts';
import type { Mesh } from './mesh.ts';
import { makeMonstera } from './monstera.ts';
import { makeCylinder, makePot, makeSphere, makeVase } from './revolve.ts';
import { makeStone } from './stone.ts';

type Numbers<Kind extends string, Fields extends string> = { readonly kind: Kind } & Readonly<
  Record<Fields, number>
>;

/** A shape, in world units. `bevel` is the radius of a rounded edge; 0.012 to 0.04 looks handmade. */
export type Shape =
  | Numbers<'cylinder', 'radius' | 'height' | 'bevel'>
  | Numbers<'box', 'width' | 'height' | 'depth' | 'bevel'>
  | Numbers<'arch', 'width' | 'height' | 'thickness' | 'depth'>
  | Numbers<'disc', 'radius' | 'depth'>
  | Numbers<'panel', 'width' | 'height' | 'depth'>
  | Numbers<'sphere', 'radius'>
  | Numbers<'pot', 'radius' | 'height' | 'flare'>
  | Numbers<'vase', 'radius' | 'height'>
  | (Numbers<'stone', 'radius' | 'seed'> & { readonly topY?: number })
  | Numbers<'branch', 'length' | 'leafWidth' | 'seed'>
  | Numbers<'olive', 'length' | 'seed'>
  | Numbers<'palm', 'length' | 'seed'>
  | Numbers<'monstera', 'length' | 'seed'>
  | Numbers<'pampas', 'length' | 'seed'>
  | Numbers<'petals', 'count' | 'size' | 'spread' | 'seed'>
  | (Numbers<'dune', 'amplitude' | 'seed'> & { readonly plot: Plot })
  | ({ readonly kind: 'drape' } & Drape)
  | ({ readonly kind: 'curtain' } & Curtain)
  | Numbers<'plane', 'size'>
  | Numbers<'floor', 'size'>;

type Maker<Made> = (shape: Made) => Mesh;
const makers: { readonly [Kind in Shape['kind']]: Maker<Extract<Shape, { readonly kind: Kind }>> } = {
  cylinder: ({ radius, height, bevel }) => makeCylinder(radius, height, bevel),
  box: ({ width, height, depth, bevel }) => makeBox(width, height, depth, bevel),
  arch: ({ width, height, thickness, depth }) => makeArch(width, height, thickness, depth),
  disc: ({ radius, depth }) => makeDisc(radius, depth),
  panel: ({ width, height, depth }) => makePanel(width, height, depth),
  sphere: ({ radius }) => makeSphere(radius),
  pot: ({ radius, height, flare }) => makePot(radius, height, flare),
  vase: ({ radius, height }) => makeVase(radius, height),
  stone: ({ radius, seed, topY }) => makeStone(radius, seed, topY),
  branch: ({ length, leafWidth, seed }) => makeBranch(length, leafWidth, seed),
  olive: ({ length, seed }) => makeOlive(length, seed),
  palm: ({ length, seed }) => makePalm(length, seed),
  monstera: ({ length, seed }) => makeMonstera(length, seed),
  pampas: ({ length, seed }) => makePampas(length, seed),
  petals: ({ count, size, spread, seed }) => makePetals(count, size, spread, seed),
  dune: ({ plot, amplitude, seed }) => makeDune(plot, amplitude, seed),
  drape: makeDrape,
  curtain: makeCurtain,
  floor: ({ size }) => makeFloor({ fromX: -size, toX: size, fromZ: -size, toZ: size }),
  plane: ({ size }) => makeWall({ fromX: -size, toX: size }, -size, size, 0),
};

export const makeMesh = (shape: Shape): Mesh => (makers[shape.kind] as Maker<Shape>)(shape);
