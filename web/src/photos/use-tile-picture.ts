/** What a tile shows: its look, else its cutout, else the photo itself; loaded only near the window. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PreviewQueue } from '../pictures/preview-queue.ts';
import { changePastDesign, findPastDesign } from '../shared/design-history.ts';
import { useSession } from '../shared/session.ts';
import { cutoutLook, type Photo, pictureOf, recipeOf } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

export interface TilePicture {
  readonly url: string | null;
  readonly kind: 'photo' | 'picture';
  readonly error: unknown;
}

/** A tile that is only scrolled past is not worth a call. */
const restMs = 90;
/** A busy service may miss its deadline, and draws faster once others have their pictures. */
const mostTries = 4;
const pauseMs = 5_000;

export function useTilePicture(
  photo: Photo,
  near: boolean,
  queue: PhotoQueue,
  previews: PreviewQueue,
): TilePicture {
  const { client } = useSession();
  const [made, setMade] = useState<TilePicture>({ url: null, kind: 'photo', error: null });
  const { key, state, designId, look, revision } = photo;
  const ready = state === 'ready' && designId !== null;
  const shown = pictureOf(photo) ?? `${key} ${ready ? revision : state}`;
  const [tries, setTries] = useState({ of: shown, count: 1 });
  const count = tries.of === shown ? tries.count : 1;

  useEffect(() => {
    if (!near) return;
    let left = false;
    const show = (kind: TilePicture['kind'], what: string, make: (signal: AbortSignal) => Promise<Blob>) =>
      previews.show(what, make).then(
        (url) => left || setMade({ url, kind, error: null }),
        (error) => {
          if (left) return;
          setMade((old) => ({ ...old, error }));
          if (kind === 'picture' && count < mostTries) {
            timer = setTimeout(() => setTries({ of: shown, count: count + 1 }), pauseMs);
          }
        },
      );
    let timer = setTimeout(() => {
      if (!ready) void show('photo', `${key} file`, () => originalOf(photo, queue));
      else if (JSON.stringify(look) === JSON.stringify(cutoutLook)) void show('picture', shown, cutout);
      else {
        void show('picture', shown, async (signal) =>
          (await client.preview({ id: designId, ...recipeOf(look) }, { signal })).blob(),
        );
      }
    }, restMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };

    /** Small and transparent; kept, so that the next visit asks for nothing. */
    async function cutout(signal: AbortSignal): Promise<Blob> {
      const id = designId ?? '';
      const kept = revision === 1 ? (await findPastDesign(id))?.thumb : null;
      if (kept) return kept;
      const picture = await (await client.preview({ id, ...recipeOf(cutoutLook) }, { signal })).blob();
      await changePastDesign(id, { thumb: picture });
      return picture;
    }
  }, [near, shown, client, count]);
  return made;
}

/** Fails where neither this browser's list nor its files have it, and where it cannot show it, as with HEIC. */
async function originalOf({ key, designId }: Photo, queue: PhotoQueue): Promise<Blob> {
  const kept = designId === null ? null : (await findPastDesign(designId))?.photo;
  const photo = kept ?? (await queue.file(key));
  if (!photo) throw new Error('the photo is not here');
  // Tiles of what cannot be decoded stay empty instead of broken.
  (await createImageBitmap(photo)).close();
  return photo;
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
