/** Settings for many photos, stored in this browser: look, format and marketplaces. */
import { useState } from 'preact/hooks';
import type { Marketplace, PictureFormat } from '../../../clients/typescript/src/packshot-client.ts';
import {
  type BackdropChoice,
  backdropOf,
  firstChoice,
  ownAdjust,
  readChoice,
  withLayoutOf,
} from '../pictures/backdrop-choice.ts';
import { keepStored, readStored } from '../shared/stored.ts';
import { cutoutLook, type Dress, type Photo } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

/** The look is that of photos that are added. */
export interface Settings extends Dress {
  /** Download format; null for the format that suits each look. */
  readonly format: PictureFormat | null;
  readonly marketplaces: readonly Marketplace[];
  /** Ids of the channels for which pictures are made; none: each photo's picture as in the grid. */
  readonly channels: readonly string[];
  /** Longer side of the pictures in pixels, and most bytes of a file; null for the service's own. */
  readonly longEdgePx: number | null;
  readonly maxBytes: number | null;
  /** Pattern of the pictures' names, with `{name}`, `{n}` and `{channel}`. */
  readonly names: string;
}

const slot = 'packshot.photos';

export function readSettings(): Settings {
  const usual: Settings = {
    choice: { ...firstChoice, chosen: cutoutLook.recipeId },
    look: cutoutLook,
    format: null,
    marketplaces: [],
    channels: [],
    longEdgePx: null,
    maxBytes: null,
    names: '{name}',
  };
  try {
    const settings: Settings = { ...usual, ...JSON.parse(readStored(slot) ?? '{}') };
    return { ...settings, choice: readChoice(settings.choice) };
  } catch {
    // An older version of the page wrote the value.
    return usual;
  }
}

/**
 * The settings of a project: its photos' look, and what was last chosen for any project. A look that was chosen for all
 * holds as long as a photo has it.
 */
export function useSettings(photos: readonly Photo[]): [Settings, (change: Partial<Settings>) => void] {
  const [changed, setChanged] = useState<Partial<Settings>>({});
  const [last] = useState(readSettings);
  const [first] = photos;
  const { look, choice, ...others } = changed;
  const holds = choice && look && (!first || wears(photos, choice));
  const settings = {
    ...last,
    ...(first && { look: first.look, choice: first.choice }),
    ...others,
    ...(holds && { look, choice }),
  };
  const change = (next: Partial<Settings>) => {
    setChanged((old) => ({ ...old, ...next }));
    keepSettings({ ...readSettings(), ...next });
  };
  return [settings, change];
}

/** The size as fields of a render request. PNG has no limit of bytes. */
export const sizeFor = (
  format: PictureFormat,
  { longEdgePx, maxBytes }: Pick<Settings, 'longEdgePx' | 'maxBytes'>,
) => ({
  ...(longEdgePx !== null && { longEdgePx }),
  ...(maxBytes !== null && format !== 'png' && { maxBytes }),
});

/** Whether one of the photos is on this backdrop. */
export const wears = (photos: readonly Photo[], { chosen }: BackdropChoice): boolean =>
  photos.some(({ choice }) => choice.chosen === chosen);

/** The dress for another photo, with that one's values of these fields; by default all that is set by hand. */
export const dressFrom = (
  { look, choice: from }: Dress,
  to: Pick<BackdropChoice, 'adjust'> = {},
  fields?: Parameters<typeof withLayoutOf>[2],
): Dress => {
  const choice = withLayoutOf(from, to, fields);
  const known = [{ id: look.recipeId, title: look.title, variants: [look.variant] }];
  return { choice, look: backdropOf(choice, known) };
};

const keepSettings = (settings: Settings): void =>
  keepStored(slot, JSON.stringify({ ...settings, ...dressFrom(settings) }));

const findPhoto = (queue: PhotoQueue, id: string) => queue.photos().find(({ designId }) => designId === id);

/** Sets the look of all photos of the project, and of photos that are added anywhere. */
export function dressAll(queue: PhotoQueue, project: string, dress: Dress): void {
  keepSettings({ ...readSettings(), ...dress });
  for (const photo of queue.photos())
    if (photo.project === project)
      queue.change(photo.key, { ...dressFrom(dress, photo.choice, ['rotate']), unmade: null });
}

/** Puts the photos of a deleted look on white, and photos that are added later. */
export function forgetLook(queue: PhotoQueue, id: string, known: Parameters<typeof backdropOf>[1]): void {
  const settings = readSettings();
  const white = { look: backdropOf(firstChoice, known), choice: firstChoice };
  if (settings.choice.chosen === id) keepSettings({ ...settings, ...white });
  for (const photo of queue.photos()) {
    if (photo.choice.chosen !== id) continue;
    const choice = { ...firstChoice, adjust: ownAdjust(photo.choice.adjust) };
    queue.change(photo.key, { look: backdropOf(choice, known), choice, unmade: null });
  }
}

/** The look of one photo of a list, for the page of its design. */
export function findDress(queue: PhotoQueue, designId: string) {
  const photo = findPhoto(queue, designId);
  return photo && { title: photo.look.title, choice: photo.choice };
}

export function dressOne(queue: PhotoQueue, designId: string, dress: Dress): void {
  const photo = findPhoto(queue, designId);
  if (photo) queue.change(photo.key, { ...dress, unmade: null });
}
