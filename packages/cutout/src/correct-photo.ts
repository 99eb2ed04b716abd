/** Runs in the imaging process: makes a corrected cutout from stored bytes, or recomputes a lost one. */

import { PackshotError } from 'packshot-errors';
import { type AlphaWish, limitsOfStored, readImage, type Source } from 'packshot-photos';
import {
  type Box,
  cutWindow,
  findMatteBounds,
  growBox,
  type Matte,
  type RgbaImage,
  StepClock,
} from 'packshot-pixels';
import sharp, { type Sharp } from 'sharp';
import { correctMatte, type Wishes } from './correct-matte.ts';
import type { Correction } from './correction.ts';
import { cleanEdges } from './steps/clean-edges.ts';
import { type EncodedCutout, encodeCutout } from './steps/encode-cutout.ts';
import { findSubjectFacts } from './steps/subject-facts.ts';
import type { SubjectFacts } from './subject.ts';

/** Edge colors are computed from photo pixels up to this distance away. */
const SURROUNDINGS_PX = 64;

export interface CorrectedCutout extends EncodedCutout {
  readonly subject: SubjectFacts;
  /** Bounds of the changed pixels. */
  readonly changed: Box;
}

/** Returns `null` if the correction changes nothing. Rejects with `no_subject_found` if it leaves no subject. */
export async function correctPhoto(input: {
  /** The photo's file. */
  readonly bytes: Uint8Array;
  readonly alpha?: AlphaWish | undefined;
  readonly cutoutPng: Uint8Array;
  readonly mattePng: Uint8Array;
  readonly correction: Correction;
  readonly again: Wishes['again'];
  /** The mask as returned by `readMask`. */
  readonly maskPng: Uint8Array | null;
  readonly signal: AbortSignal;
}): Promise<CorrectedCutout | null> {
  const clock = new StepClock(input.signal);
  const source = await readImage(input.bytes, limitsOfStored, input.alpha);
  const before = await readMatte(input.mattePng, 0);
  const mask = input.maskPng && (await readMatte(input.maskPng, 0));
  const { correction, again } = input;
  const corrected = await correctMatte(source, before, { correction, again, mask }, clock);
  if (corrected === null) return null;
  const { matte, box } = corrected;
  const subject = findLeft(matte, source.alpha !== null);
  const cutout = await readCutout(input.cutoutPng);
  recolor(cutout, source, { before, matte, box });
  return { ...(await encodeCutout(cutout, matte)), subject, changed: box };
}

function findLeft(matte: Matte, isTransparent: boolean): SubjectFacts {
  try {
    return findSubjectFacts(matte, null, isTransparent);
  } catch (error) {
    if (!(error instanceof PackshotError) || error.code !== 'no_subject_found') throw error;
    throw new PackshotError(
      'no_subject_found',
      'This correction would leave no product, so the cutout was not changed. A part that is connected to the product cannot be removed by a click: use strokes, boxes or polygons.',
      { cause: error },
    );
  }
}

/** Recomputes a lost cutout or matte from the one that is still stored. */
export async function rebuildCutout(input: {
  readonly bytes: Uint8Array;
  readonly alpha?: AlphaWish | undefined;
  readonly cutoutPng: Uint8Array | null;
  readonly mattePng: Uint8Array | null;
}): Promise<EncodedCutout> {
  const source = await readImage(input.bytes, limitsOfStored, input.alpha);
  const matte =
    input.mattePng === null ? await readMatte(input.cutoutPng!, 3) : await readMatte(input.mattePng, 0);
  const box = findMatteBounds(matte, 1);
  const empty = { ...matte, data: new Uint8Array(matte.data.length) };
  const cutout = { width: matte.width, height: matte.height, data: new Uint8Array(matte.data.length * 4) };
  if (box !== null) recolor(cutout, source, { before: empty, matte, box });
  return encodeCutout(cutout, matte);
}

interface Recoloring {
  readonly before: Matte;
  readonly matte: Matte;
  /** Bounds of all pixels whose alpha changed. */
  readonly box: Box;
}

/** Writes the pixels whose alpha changed into the cutout, with decontaminated colors. */
function recolor(cutout: RgbaImage, source: Source, { before, matte, box }: Recoloring): void {
  const area = growBox(box, { x: SURROUNDINGS_PX, y: SURROUNDINGS_PX }, source);
  const { x, y } = area;
  const view = cutWindow(source, area);
  const alpha = cutWindow(matte, area);
  const whole = { x: 0, y: 0, width: area.width, height: area.height };
  // The colors of a photo with its own transparency are already clean.
  const clean = source.alpha === null ? cleanEdges(view, alpha, whole).data : null;
  for (let i = 0; i < alpha.data.length; i++) {
    const at = (y + Math.floor(i / area.width)) * source.width + x + (i % area.width);
    const a = alpha.data[i]!;
    if (before.data[at] === a) continue;
    for (let c = 0; c < 3; c++)
      cutout.data[at * 4 + c] = a === 0 ? 0 : clean === null ? view.data[i * 3 + c]! : clean[i * 4 + c]!;
    cutout.data[at * 4 + 3] = a;
  }
}

async function readMatte(png: Uint8Array, channel: 0 | 3): Promise<Matte> {
  const { data, info } = await decode(sharp(png).extractChannel(channel));
  return { width: info.width, height: info.height, data };
}

async function readCutout(png: Uint8Array): Promise<RgbaImage> {
  const { data, info } = await decode(sharp(png).ensureAlpha());
  return { width: info.width, height: info.height, data };
}

async function decode(picture: Sharp) {
  try {
    const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
    return { data: new Uint8Array(data.buffer, data.byteOffset, data.length), info };
  } catch (error) {
    throw new PackshotError('internal', 'The stored cutout could not be read.', { cause: error });
  }
}
