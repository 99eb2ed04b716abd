/** Chooses where each picture is written: its name, and the folder, file or stream. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Refuse } from '../shared/refuse.ts';
import { findPhotos, namePictures, namesFor, type Photo } from './find-photos.ts';
import { type OutputFolder, openOutputFolder, writeWhole } from './output-folder.ts';
import { type OrderOptions, type PictureOrder, type Target, toExtension } from './picture-target.ts';

/** Maps each photo to the name of its picture. Refuses to overwrite a photo. */
export async function nameOutputs(
  words: readonly string[],
  { recursive = false, format: choice }: Pick<OrderOptions, 'format'> & { readonly recursive?: boolean },
  target: Target,
  order: PictureOrder,
  refuse: Refuse,
): Promise<Map<Photo, string>> {
  const folder = target.kind === 'folder' ? await realpath(target.path).catch(() => undefined) : undefined;
  const photos = await findPhotos(words, { recursive, leaveOut: folder }, refuse);
  if (photos.length === 0) refuse(`There are no photos in ${words.join(', ')}.`);
  if (photos.some(({ kind }) => kind === 'stdin') && process.stdin.isTTY) {
    refuse(
      'The argument - means that the photo comes from standard input: pipe one in. For standard output use -o -.',
    );
  }
  if (target.kind !== 'folder') {
    if (photos.length > 1) {
      refuse(`There are ${photos.length} photos, so the output must be a folder, such as -o out/.`);
    }
    if (target.kind === 'stdout' && process.stdout.isTTY) {
      refuse('The picture goes to standard output: redirect it to a file with >, or name one with -o.');
    }
    const name = target.kind === 'file' ? target.path : '-';
    if ((await realpath(name).catch(() => undefined)) === photos[0]?.identity) {
      refuse(`The picture would replace its own photo ${name}.`);
    }
    return new Map([[photos[0]!, name]]);
  }
  const named = namePictures(photos);
  const identities = new Set(photos.map(({ identity }) => identity));
  for (const [photo, name] of named) {
    const picture = toPictureName(name, choice, order);
    if (folder !== undefined && identities.has(join(folder, picture))) {
      refuse(`The picture of ${photo.name} would replace a photo. Name another folder with -o.`);
    }
    named.set(photo, picture);
  }
  return named;
}

const toPictureName = (
  name: string,
  choice: OrderOptions['format'],
  { format, mask }: Pick<PictureOrder, 'format' | 'mask'>,
): string => `${name}${mask ? '-mask' : ''}.${toExtension(choice, format)}`;

/**
 * Names pictures as their photos arrive. A photo that arrives again gets the same name. A new one gets a name that no
 * other photo has, unless all of its possible names are taken.
 */
export function createNamer(
  output: Pick<Output, 'photoOf'>,
  choice: OrderOptions['format'],
  order: PictureOrder,
): (photo: Photo) => string {
  const owners = new Map<string, string>();
  return (photo) => {
    const names = namesFor(photo).map((name) => toPictureName(name, choice, order));
    const ownerOf = (name: string) => owners.get(name.toLowerCase()) ?? output.photoOf(name);
    const name =
      names.find((one) => ownerOf(one) === photo.path) ??
      names.find((one) => ownerOf(one) === undefined) ??
      names.at(-1)!;
    owners.set(name.toLowerCase(), photo.path);
    return name;
  };
}

export interface Output extends Pick<OutputFolder, 'isDone' | 'photoOf' | 'keep'> {
  /** Null for standard output. */
  pathOf(picture: string): string | null;
}

/** A folder keeps a journal of finished pictures; a file or standard output does not. */
export async function openOutput(
  target: Target,
  options: Parameters<typeof openOutputFolder>[1],
): Promise<Output> {
  if (target.kind === 'folder') return openOutputFolder(target.path, options);
  return {
    pathOf: (picture) => (target.kind === 'file' ? picture : null),
    isDone: async () => false,
    photoOf: () => undefined,
    async keep(picture, _photo, bytes) {
      if (target.kind === 'file') await writeWhole(picture, bytes);
      else await new Promise((written) => process.stdout.write(bytes, written));
    },
  };
}

export function describeTarget(target: Target): string {
  if (target.kind === 'stdout') return 'done';
  return `done, in ${target.path}`;
}
