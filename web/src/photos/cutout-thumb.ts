/** The cutout as a small transparent picture, which this browser keeps, so that the next visit needs no call. */
import type { PackshotClient } from '../../../clients/typescript/src/packshot-client.ts';
import { findKeptPictures, keepPictures } from '../shared/kept-pictures.ts';
import { cutoutLook, recipeOf } from './photo.ts';

interface Options {
  readonly signal: AbortSignal;
  /** False if the cutout may differ from a kept one. */
  readonly isKnown?: boolean;
  /** False if the cutout will soon be another one. */
  readonly isFinal?: boolean;
}

export async function fetchCutoutThumb(
  client: PackshotClient,
  id: string,
  { signal, isKnown = true, isFinal = true }: Options,
): Promise<Blob> {
  const kept = isKnown ? (await findKeptPictures(id))?.thumb : null;
  if (kept) return kept;
  const picture = await (await client.preview({ id, ...recipeOf(cutoutLook) }, { signal })).blob();
  if (isFinal) await keepPictures(id, { thumb: picture });
  return picture;
}
