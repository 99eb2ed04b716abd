/** The golden photos, and the required quality of their cutouts on any machine. */
import { readFileSync } from 'node:fs';
import type { Comparison } from './compare.ts';

/** `npm run golden:update` writes this file, with a margin, because CPU kernels differ between machines. */
export const floorsFile = new URL('floors.json', import.meta.url);

/** By photo: the minimum of `iou`, and the maximum of the other measures. */
export type Floors = Record<string, Comparison | undefined>;

export const floors = JSON.parse(readFileSync(floorsFile, 'utf8')) as Floors;

export interface GoldenCase {
  /** Name of `samples/<id>.jpg` and of `expected/<id>.alpha.png`. */
  readonly id: string;
  readonly why: string;
}

export const cases: readonly GoldenCase[] = [
  { id: 'mug-white', why: 'white on white, and the hole of a handle' },
  { id: 'mug-clutter', why: 'the hole of a handle before a busy table' },
  { id: 'mug-marbletop', why: 'white on pale marble' },
  { id: 'plush-paper', why: 'fur' },
  { id: 'wirebasket-tilewall', why: 'thin wires with a wall between them' },
  { id: 'chair-room', why: 'thin legs and the gaps between them' },
  { id: 'chair-white', why: 'thin legs in a studio' },
  { id: 'guitar-hard', why: 'a hard shadow' },
  { id: 'potplant-grass', why: 'leaves on grass' },
  { id: 'perfume-marbletop', why: 'glass' },
  { id: 'eyeglasses-paper', why: 'thin frames and clear lenses' },
  { id: 'cushion-room', why: 'low contrast' },
  { id: 'earbuds-woodtable', why: 'a thin white cable' },
  { id: 'console-white', why: 'white faces on white paper, which only a second pass finds' },
  { id: 'headphones-paper', why: 'dark, with a large hole' },
  { id: 'waterbottle-hard', why: 'metal and a hard shadow' },
];

/** A pale product on a pale background, fur, and thin parts with gaps: the outlines that most changes affect. */
const telling = ['mug-white', 'plush-paper', 'chair-room'];

/**
 * The photos to measure. `npm test` outside CI skips some, because each photo takes several seconds; `npm run golden`
 * measures all of them.
 */
export const measured =
  process.env.npm_lifecycle_event === 'test' && !process.env.CI
    ? cases.filter(({ id }) => telling.includes(id))
    : cases;
