/** The pictures of a batch: of each photo or each row of a list (a CSV), for each channel. */
import type { BatchItemInput } from '../../../clients/typescript/src/packshot-client.ts';
import type { ListedPicture } from '../../../src/batches/picture-list.ts';
import { channels, dressFor, formatFor } from './channels.ts';
import { type Photo, pictureOf, recipeOf } from './photo.ts';
import { type Settings, sizeFor } from './settings.ts';

export interface OrderedPicture {
  /** The photo's key. */
  readonly key: string;
  /** Identifies the photo's picture in the grid, which changes with its cutout. */
  readonly of: string;
  readonly item: BatchItemInput;
}

/** Recipes and looks by which a picture may be made. */
export type Catalogue = Parameters<typeof dressFor>[2];

/** `first` is the number of the first photo, for its name. */
export function picturesOf(
  photos: readonly Photo[],
  settings: Settings,
  catalogue: Catalogue,
  first = 1,
): OrderedPicture[] {
  const wished = channels.filter(({ id }) => settings.channels.includes(id));
  return photos.flatMap((photo, index) =>
    (wished.length > 0 ? wished : [null]).map((channel) => {
      const look = channel ? dressFor(channel, photo, catalogue) : photo.look;
      const format = formatFor(channel ?? {}, look, settings.format);
      const words: Readonly<Record<string, string>> = {
        name: photo.name,
        n: String(first + index),
        channel: channel?.folder ?? '',
      };
      const name = settings.names.replace(/\{(\w+)\}/g, (all, word: string) => words[word] ?? all);
      return {
        key: photo.key,
        of: pictureOf(photo) ?? '',
        item: {
          id: photo.designId ?? '',
          ...recipeOf(look),
          ...sizeFor(format, settings),
          format,
          name: name.trim() || photo.name,
          ...(channel && { folder: channel.folder }),
        },
      };
    }),
  );
}

/**
 * Returns the pictures of the rows whose photos are here, and the names of the photos that are not. A row with a recipe
 * or a ratio is made as it says; the others for each channel.
 */
export function picturesOfList(
  rows: readonly ListedPicture[],
  photos: readonly Photo[],
  settings: Settings,
  catalogue: Catalogue,
): { readonly pictures: OrderedPicture[]; readonly missing: string[] } {
  const named = new Map(photos.map((photo) => [photo.fileName.toLowerCase(), photo]));
  const pictures: OrderedPicture[] = [];
  const missing = new Set<string>();
  for (const [index, { photo: path, recipe, ratio, name }] of rows.entries()) {
    const fileName = path.split('/').at(-1) ?? path;
    const photo = named.get(fileName.toLowerCase());
    if (!photo) {
      missing.add(fileName);
      continue;
    }
    const offered = catalogue.find(({ id }) => id === recipe)?.variants ?? [];
    const usual = offered.find((variant) => variant === '1:1') ?? offered[0] ?? '1:1';
    const look = recipe === undefined ? photo.look : { title: recipe, recipeId: recipe, variant: usual };
    const dressed = { ...photo, name: name ?? photo.name, look: ratio ? { ...look, variant: ratio } : look };
    const wished = recipe === undefined && ratio === undefined ? settings : { ...settings, channels: [] };
    pictures.push(...picturesOf([dressed], wished, catalogue, index + 1));
  }
  return { pictures, missing: [...missing] };
}
