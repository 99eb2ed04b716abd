/** Checks the pictures of many photos against the rules of marketplaces, two at a time. */
import { useEffect, useState } from 'preact/hooks';
import type { PackshotClient } from '../../../clients/typescript/src/packshot-client.ts';
import { fixOf, toVerdict } from '../checks/verdict.ts';
import type { BackdropChoice } from '../pictures/backdrop-choice.ts';
import { useSession } from '../shared/session.ts';
import { type Task, useTask } from '../shared/use-task.ts';
import { t } from '../shared/words.ts';
import { formatOf, type Photo, pictureOf, recipeOf, verdictsOf } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';
import { type Settings, sizeFor } from './settings.ts';

const mostAtOnce = 2;

export interface Checks {
  readonly task: Task;
  /** Number of pictures that the running check has not checked yet. */
  readonly left: number;
  check(photos: readonly Photo[], settings: Settings): void;
}

/** Drops results for a file or marketplaces that are no longer chosen. */
export function useChecks(queue: PhotoQueue, photos: readonly Photo[], current: Settings): Checks {
  const { client, announce } = useSession();
  const task = useTask();
  const [left, setLeft] = useState(0);
  const by = toText(current);
  useEffect(() => {
    for (const { key, check } of photos) if (check && check.by !== by) queue.change(key, { check: null });
  });

  function check(photos: readonly Photo[], settings: Settings): void {
    const waiting = photos.filter((photo) => pictureOf(photo) !== null);
    setLeft(waiting.length);
    task.start(async (signal) => {
      const worker = async () => {
        for (let photo = waiting.shift(); photo; photo = waiting.shift()) {
          await checkOne(client, queue, photo, { settings, signal });
          setLeft((count) => count - 1);
        }
      };
      await Promise.all(Array.from({ length: mostAtOnce }, worker));
      announce(t('The pictures are checked.'));
    });
  }
  return { task, left, check };
}

async function checkOne(
  client: PackshotClient,
  queue: PhotoQueue,
  photo: Photo,
  { settings, signal }: { readonly settings: Settings; readonly signal: AbortSignal },
): Promise<void> {
  const { look, designId, key } = photo;
  const of = pictureOf(photo);
  if (designId === null || of === null) return;
  const format = formatOf(look, settings.format);
  const { checks } = await client.checkRender(designId, {
    ...recipeOf(look),
    ...sizeFor(format, settings),
    format,
    marketplaces: settings.marketplaces,
    signal,
  });
  queue.change(key, { check: { of, by: toText(settings), verdicts: checks.map(toVerdict) } });
}

/** All that a check depends on besides the picture. */
const toText = ({ format, longEdgePx, maxBytes, marketplaces }: Settings): string =>
  JSON.stringify([format, longEdgePx, maxBytes, marketplaces]);

/** Photos whose picture does not pass, with the choice whose picture would. */
export const fixesOf = (photos: readonly Photo[]): { photo: Photo; choice: BackdropChoice }[] =>
  photos.flatMap((photo) => {
    const fix = fixOf(photo.choice, verdictsOf(photo));
    return fix ? [{ photo, choice: { ...photo.choice, ...fix } }] : [];
  });
