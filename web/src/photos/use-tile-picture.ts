/**
 * The picture of a tile: the photo until it is cut out, then the product in the photo's look (at first, the cutout
 * alone). Loaded only for tiles in the window or close to it.
 */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PackshotClient } from '../../../clients/typescript/src/packshot-client.ts';
import type { PreviewQueue } from '../pictures/preview-queue.ts';
import { findKeptPictures } from '../shared/kept-pictures.ts';
import { useSession } from '../shared/session.ts';
import { findShownPhoto, isShown } from '../shared/shown-photo.ts';
import { fetchCutoutThumb } from './cutout-thumb.ts';
import { cutoutLook, type Photo, pictureOf, recipeOf } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

export interface TilePicture {
  readonly url: string | null;
  readonly kind: 'photo' | 'picture';
  /** Whether a new picture is being made; the last picture stays visible until the new one is ready. */
  readonly awaited: boolean;
}

interface Made extends Pick<TilePicture, 'url' | 'kind'> {
  /** Identifies the picture that is shown, or that could not be made. */
  readonly of: string;
}

/** Delay in ms before the picture is requested: a tile that is only scrolled past needs no call. */
const restMs = 90;
/** A busy service may miss its deadline. It is faster once other tiles have their pictures, so a few tries are made. */
const mostTries = 4;
const pauseMs = 5_000;

export function useTilePicture(
  photo: Photo,
  near: boolean,
  queue: PhotoQueue,
  previews: PreviewQueue,
): TilePicture {
  const { client } = useSession();
  const [made, setMade] = useState<Made>({ url: null, kind: 'photo', of: '' });
  const { key, state, designId, look, revision, improving = false } = photo;
  const ready = state === 'ready' && designId !== null;
  const shown = pictureOf(photo) ?? `${key} ${ready ? revision : state}`;
  const [tries, setTries] = useState({ of: shown, count: 1 });
  const count = tries.of === shown ? tries.count : 1;

  useEffect(() => {
    if (!near) return;
    let left = false;
    const show = (kind: TilePicture['kind'], what: string, make: (signal: AbortSignal) => Promise<Blob>) =>
      previews.show(what, make).then(
        (url) => left || setMade({ url, kind, of: shown }),
        () => {
          if (left) return;
          // A photo without a design exists only in this browser, and the browser cannot show it: do not retry.
          if (designId !== null && count < mostTries) {
            timer = setTimeout(() => setTries({ of: shown, count: count + 1 }), pauseMs);
          } else setMade((old) => ({ ...old, of: shown }));
        },
      );
    let timer = setTimeout(() => {
      if (!ready) void show('photo', `${key} file`, (signal) => findOriginal(client, queue, { key, signal }));
      else if (JSON.stringify(look) === JSON.stringify(cutoutLook)) {
        const isFinal = !improving;
        const options = { isKnown: revision === 1 && isFinal, isFinal };
        void show('picture', shown, (signal) => fetchCutoutThumb(client, designId, { ...options, signal }));
      } else {
        void show('picture', shown, async (signal) =>
          (await client.preview({ id: designId, ...recipeOf(look) }, { signal })).blob(),
        );
      }
    }, restMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [near, shown, client, count]);
  return { url: made.url, kind: made.kind, awaited: near && ready && made.of !== shown };
}

/**
 * Returns the photo itself, from this browser, or the service's JPEG if the browser cannot show the photo's format
 * (HEIC). Rejects while the service does not have the photo yet; the tile then keeps its icon.
 */
async function findOriginal(
  client: PackshotClient,
  queue: PhotoQueue,
  { key, signal }: { key: string; signal: AbortSignal },
): Promise<Blob> {
  // Read the current state: the photo may have been uploaded while the call waited.
  const designId = queue.photos().find((each) => each.key === key)?.designId ?? null;
  const kept = designId === null ? null : (await findKeptPictures(designId))?.photo;
  const photo = kept ?? (await queue.file(key)) ?? null;
  if (designId === null && photo && (await isShown(photo))) return photo;
  const shown = designId === null ? null : await findShownPhoto(client, designId, { photo, signal });
  if (!shown) throw new Error('the photo is not here');
  return shown;
}

/** Whether the element is in the window or close to it. */
export function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: '300px 0px',
    });
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, []);
  return near;
}
