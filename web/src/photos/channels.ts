/** Channels for which pictures are made: main images for marketplaces, and each photo's look in other aspect ratios. */
import type { PictureFormat } from '../../../clients/typescript/src/packshot-client.ts';
import { marketplaces } from '../checks/marketplaces.ts';
import { type Backdrop, backdropOf, firstChoice, ownAdjust } from '../pictures/backdrop-choice.ts';
import type { English } from '../shared/words.ts';
import { formatOf, type Photo } from './photo.ts';

interface Channel {
  readonly id: string;
  readonly title: string;
  /** Of the pictures in the ZIP, and `{channel}` in their names. */
  readonly folder: string;
  readonly recipeId?: string;
  readonly variant: string;
}

const ratio = (variant: string, title: English): Channel => ({
  id: variant,
  title,
  folder: title.toLowerCase().replace(' ', '-').replace(':', 'x'),
  variant,
});

export const channels: readonly Channel[] = [
  ...marketplaces.map(({ id, title }) => ({
    id,
    title,
    folder: id,
    recipeId: `Listing_${id}_main`,
    variant: '1:1',
  })),
  ratio('1:1', 'Square 1:1'),
  ratio('4:5', 'Shop 4:5'),
  ratio('9:16', 'Story 9:16'),
  ratio('2:3', 'Pin 2:3'),
  ratio('16:9', 'Banner 16:9'),
];

/** Those that most shops need. */
export const usualChannels = ['amazon', '4:5', '9:16'];

type Known = Parameters<typeof backdropOf>[1];

/** How the channel shows the photo: a main image is white, with nothing of the look but the product's outline. */
export function dressFor(
  { recipeId, variant }: Channel,
  { choice }: Pick<Photo, 'choice'>,
  known: Known,
): Backdrop {
  if (recipeId !== undefined)
    return backdropOf({ ...choice, chosen: recipeId, variant, adjust: ownAdjust(choice.adjust) }, known);
  // The recipes of main images are square; other channels get the white of the shop.
  const chosen = choice.chosen.startsWith('Listing_') ? firstChoice.chosen : choice.chosen;
  return backdropOf({ ...choice, chosen, variant }, known);
}

/** Marketplaces take JPEG and PNG. */
export const formatFor = (
  { recipeId }: Pick<Channel, 'recipeId'>,
  look: Backdrop,
  chosen: PictureFormat | null,
): PictureFormat => (recipeId !== undefined && chosen !== 'png' ? 'jpeg' : formatOf(look, chosen));
