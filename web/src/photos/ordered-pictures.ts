/** The pictures of a batch: one of each photo, or those of a list (a CSV). */
import type { BatchItemInput, PictureFormat } from '../../../clients/typescript/src/packshot-client.ts';
import type { ListedPicture } from '../../../src/batches/picture-list.ts';
import { formatOf, type Photo, pictureOf, recipeOf } from './photo.ts';

export interface OrderedPicture {
  /** The photo's key. */
  readonly key: string;
  /** Identifies the picture. */
  readonly of: string;
  readonly item: BatchItemInput;
}

export const picturesOf = (photos: readonly Photo[], format: PictureFormat | null): OrderedPicture[] =>
  photos.map((photo) => ({
    key: photo.key,
    of: pictureOf(photo) ?? '',
    item: {
      id: photo.designId ?? '',
      ...recipeOf(photo.look),
      name: photo.name,
      format: formatOf(photo.look, format),
    },
  }));

/** Recipes and looks by which a row may be made. */
export type Catalogue = readonly { readonly id: string; readonly variants: readonly string[] }[];

/** Returns the pictures of the rows whose photos are here, and the names of the photos that are not. */
export function picturesOfList(
  rows: readonly ListedPicture[],
  photos: readonly Photo[],
  catalogue: Catalogue,
  format: PictureFormat | null,
): { readonly pictures: OrderedPicture[]; readonly missing: string[] } {
  const named = new Map(photos.map((photo) => [photo.fileName.toLowerCase(), photo]));
  const pictures: OrderedPicture[] = [];
  const missing = new Set<string>();
  for (const { photo: path, recipe, ratio, name } of rows) {
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
    pictures.push(
      ...picturesOf([dressed], format).map((one) => ({ ...one, of: `${one.of} ${dressed.name}` })),
    );
  }
  return { pictures, missing: [...missing] };
}
