/** Checks the pictures of many photos against the rules of marketplaces, two at a time. */
import { useState } from 'preact/hooks';
import type {
  ListingCheck,
  Marketplace,
  PackshotClient,
  PictureFormat,
} from '../../../clients/typescript/src/packshot-client.ts';
import { useSession } from '../shared/session.ts';
import { type Task, useTask } from '../shared/use-task.ts';
import { formatOf, type Photo, pictureOf, recipeOf, type Verdict } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

const mostAtOnce = 2;

export interface Checks {
  readonly task: Task;
  /** Number of pictures that the running check has not checked yet. */
  readonly left: number;
  check(photos: readonly Photo[], marketplaces: readonly Marketplace[], format: PictureFormat | null): void;
}

export function useChecks(queue: PhotoQueue): Checks {
  const { client, announce } = useSession();
  const task = useTask();
  const [left, setLeft] = useState(0);

  function check(
    photos: readonly Photo[],
    marketplaces: readonly Marketplace[],
    format: PictureFormat,
  ): void {
    const waiting = photos.filter((photo) => pictureOf(photo) !== null);
    setLeft(waiting.length);
    task.start(async (signal) => {
      const worker = async () => {
        for (let photo = waiting.shift(); photo; photo = waiting.shift()) {
          await checkOne(client, queue, photo, { marketplaces, format, signal });
          setLeft((count) => count - 1);
        }
      };
      await Promise.all(Array.from({ length: mostAtOnce }, worker));
      announce('The pictures are checked.');
    });
  }
  return { task, left, check };
}

interface Options {
  readonly marketplaces: readonly Marketplace[];
  readonly format: PictureFormat | null;
  readonly signal: AbortSignal;
}

async function checkOne(
  client: PackshotClient,
  queue: PhotoQueue,
  photo: Photo,
  options: Options,
): Promise<void> {
  const { look, designId, key } = photo;
  const of = pictureOf(photo);
  if (designId === null || of === null) return;
  const { marketplaces, signal } = options;
  const format = formatOf(look, options.format);
  const { checks } = await client.checkRender(designId, { ...recipeOf(look), format, marketplaces, signal });
  queue.change(key, { checked: { of, verdicts: checks.map(toVerdict) } });
}

function toVerdict({ marketplace, verdict, summary, rules, fix }: ListingCheck['checks'][number]): Verdict {
  const faults = rules
    .filter(({ level, outcome }) => level === 'required' && outcome === 'fails')
    .map(({ title, measured, expected }) => `${title}: ${measured ?? 'not measured'}, expected ${expected}`);
  return {
    marketplace,
    verdict,
    summary,
    faults,
    fix: fix && { recipeId: fix.recipeId, variant: fix.variant },
  };
}

/** Photos whose picture does not pass, with the recipe that the service suggests instead. */
export function fixesOf(photos: readonly Photo[]): { photo: Photo; recipeId: string; variant: string }[] {
  return photos.flatMap((photo) => {
    if (photo.checked?.of !== pictureOf(photo)) return [];
    const fix = photo.checked?.verdicts.find(({ verdict, fix }) => verdict !== 'passes' && fix)?.fix;
    return fix && fix.recipeId !== photo.look.recipeId ? [{ photo, ...fix }] : [];
  });
}
