/** Settings for many photos, stored in this browser: look, format and marketplaces. */
import { useState } from 'preact/hooks';
import type { Marketplace, PictureFormat } from '../../../clients/typescript/src/packshot-client.ts';
import { type BackdropChoice, firstChoice } from '../pictures/backdrop-choice.ts';
import { cutoutLook, type Look } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

export interface Settings {
  readonly choice: BackdropChoice;
  /** The look made from `choice`; photos that are added get this look. */
  readonly look: Look;
  /** Download format; null for the format that suits each look. */
  readonly format: PictureFormat | null;
  readonly marketplaces: readonly Marketplace[];
}

const slot = 'packshot.photos';

export function readSettings(): Settings {
  const usual: Settings = {
    choice: { ...firstChoice, chosen: cutoutLook.recipeId },
    look: cutoutLook,
    format: null,
    marketplaces: [],
  };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(slot) ?? '{}') };
  } catch {
    // Storage is disabled, or an older version of the page wrote the value.
    return usual;
  }
}

export function useSettings(): [Settings, (change: Partial<Settings>) => void] {
  const [settings, setSettings] = useState(readSettings);
  const change = (next: Partial<Settings>) =>
    setSettings((old) => {
      const all = { ...old, ...next };
      keepSettings(all);
      return all;
    });
  return [settings, change];
}

function keepSettings(settings: Settings): void {
  try {
    localStorage.setItem(slot, JSON.stringify(settings));
  } catch {
    // Storage is disabled or full; the settings are then lost when the page is closed.
  }
}

/** For callers outside the list: sets the look of all current and future photos. */
export function dressAll(queue: PhotoQueue, look: Look, choice: BackdropChoice): void {
  keepSettings({ ...readSettings(), look, choice });
  for (const { key } of queue.photos()) queue.change(key, { look, choice, unmade: null });
}

const findPhoto = (queue: PhotoQueue, id: string) => queue.photos().find(({ designId }) => designId === id);

/** The look of one photo of the list, for the page of its design. */
export function findDress(queue: PhotoQueue, designId: string) {
  const photo = findPhoto(queue, designId);
  return photo && { title: photo.look.title, choice: photo.choice ?? readSettings().choice };
}

export function dressOne(queue: PhotoQueue, designId: string, look: Look, choice: BackdropChoice): void {
  const photo = findPhoto(queue, designId);
  if (photo) queue.change(photo.key, { look, choice, unmade: null });
}
