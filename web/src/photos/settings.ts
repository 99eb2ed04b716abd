/** What a person chose for their photos, kept in this browser: the look, the format, the marketplaces. */
import { useState } from 'preact/hooks';
import type { Marketplace, PictureFormat } from '../../../clients/typescript/src/packshot-client.ts';
import { type BackdropChoice, firstChoice } from '../pictures/backdrop-choice.ts';
import { cutoutLook, type Look } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

export interface Settings {
  readonly choice: BackdropChoice;
  /** What `choice` stands for; photos that are added get it. */
  readonly look: Look;
  /** Null for the format that fits the look. */
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
    // Storage is off, or an older page wrote it.
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
    // As above.
  }
}

/** From outside of the list: all photos, and those to come, get this look. */
export function dressAll(queue: PhotoQueue, look: Look, choice: BackdropChoice): void {
  keepSettings({ ...readSettings(), look, choice });
  for (const { key } of queue.photos()) queue.change(key, { look, unmade: null });
}
