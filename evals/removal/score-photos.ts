/** Cuts out the photos of evaluation folders in several ways, and scores each cutout against the photo's exact matte. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CutOptions, cutSubject } from '../../packages/cutout/src/cut-subject.ts';
import type { RemovalEngine } from '../../packages/cutout/src/removal-engine.ts';
import type { SubjectFacts } from '../../packages/cutout/src/subject.ts';
import { PackshotError } from '../../packages/errors/index.ts';
import { type ImageLimits, readImage } from '../../packages/photos/src/read-image.ts';
import { type Picture, prepareTruth, scoreCutout, type Truth } from './metrics.ts';
import { readGray, readPicture, readRgb } from './read-pictures.ts';
import { measureRim } from './rim.ts';
import type { Row } from './score-table.ts';

export const limits: ImageLimits = {
  maxBytes: 100_000_000,
  maxPixels: 50_000_000,
  maxAvifPixels: 25_000_000,
  minSidePx: 16,
  maxSidePx: 20_000,
};

/** Both sets of rendered photos, next to the checkout. */
export const defaultFolders = ['removal', 'removal-more'].map((name) =>
  fileURLToPath(new URL(`../../../shared/eval/${name}`, import.meta.url)),
);

export interface Item {
  readonly folder: string;
  readonly id: string;
  /** Photos of one product are no independent evidence. Default: the photo's own id. */
  readonly product?: string | null;
  /** `rendered`, `real` or any other group of photos with a separate mean. */
  readonly group: string;
  readonly tags: readonly string[];
  readonly image: string;
  readonly alpha: string;
  readonly fg?: string;
}

/** The photos of all folders whose exact mattes are known. */
export async function listItems(folders: readonly string[]): Promise<Item[]> {
  const lists = folders.map(async (folder) => {
    const { items } = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as {
      items: readonly (Item & { readonly alpha?: string })[];
    };
    return items.filter((item) => item.alpha !== undefined).map((item) => ({ ...item, folder }));
  });
  return (await Promise.all(lists)).flat();
}

export type Variant = Pick<CutOptions, 'mode' | 'extent'>;

export interface Made {
  /** `null` if no product was found. */
  readonly cutoutPng: Uint8Array | null;
  readonly facts: SubjectFacts | null;
}

export async function cutItem(item: Item, engine: RemovalEngine, variant: Variant): Promise<Made> {
  const source = await readImage(await readFile(path.join(item.folder, item.image)), limits);
  try {
    const cut = await cutSubject(source, engine, { ...variant, signal: new AbortController().signal });
    return { cutoutPng: cut.cutoutPng, facts: cut.subject };
  } catch (error) {
    // A photo in which no product is found counts as a bad cutout; any other error ends the evaluation.
    if (!(error instanceof PackshotError) || error.code !== 'no_subject_found') throw error;
    return { cutoutPng: null, facts: null };
  }
}

export async function readTruth(item: Item): Promise<Truth> {
  const alpha = await readGray(path.join(item.folder, item.alpha));
  const foreground = item.fg === undefined ? null : await readRgb(path.join(item.folder, item.fg));
  return prepareTruth({ ...alpha, foreground });
}

export async function makeEmpty(item: Item, { width, height }: Truth): Promise<Picture> {
  const foreground = await readRgb(path.join(item.folder, item.image));
  return { width, height, alpha: new Uint8Array(width * height), foreground };
}

export async function scoreMade(remover: string, item: Item, made: Made, truth: Truth): Promise<Row> {
  const cutout = made.cutoutPng ? await readPicture(made.cutoutPng) : await makeEmpty(item, truth);
  return scoreRow(remover, item, { cutout, truth, facts: made.facts });
}

interface Scored {
  readonly cutout: Picture;
  readonly truth: Truth;
  readonly facts: SubjectFacts | null;
}

export function scoreRow(remover: string, item: Item, { cutout, truth, facts }: Scored): Row {
  return {
    remover,
    id: item.id,
    product: item.product ?? item.id,
    group: item.group,
    tags: item.tags,
    score: scoreCutout(cutout, truth),
    rim: measureRim(cutout),
    confidence: facts?.confidence ?? null,
    issues: facts?.issues.map((issue) => issue.code) ?? [],
  };
}
