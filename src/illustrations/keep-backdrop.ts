/** Conductor of a caller's own backdrop: checked, kept, given signed URIs, and forgotten on request or by and by. */
import { longestLineMs } from '../designs/create-design.ts';
import type { ImageFacts } from '../designs/read-image.ts';
import { PackshotError } from '../errors.ts';
import type { FairPlaces } from '../fair-places.ts';
import { newId } from '../ids.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { type BlobSweeper, type CountListener, createBlobSweeper } from '../storage/sweep-blobs.ts';
import type { BackdropStore } from './backdrop-store.ts';
import { type Backdrop, backdropBlobs } from './illustration.ts';
import type { IllustrationUris } from './illustration-uri.ts';

interface Needs {
  readonly backdrops: BackdropStore;
  readonly blobs: BlobStore;
  readonly uris: IllustrationUris;
  /** Decodes in a process that may die. Throws what `inspectImage` throws. */
  readonly inspect: (bytes: Uint8Array, accountId: string, signal: AbortSignal) => Promise<ImageFacts>;
  /** Throws where the storage has no room for uploads, or the account has used up its share. */
  readonly admitUpload: (accountId: string) => Promise<void>;
  /** Files are held in memory until they are stored; all kinds of uploads share these places. */
  readonly places: FairPlaces;
  readonly clock: () => number;
  /** Called with what each sweep counted. */
  readonly onCounted?: CountListener | undefined;
  /** Hears of what a sweep could not erase; the sweep goes on with the next. */
  readonly onError: (error: unknown) => void;
}

export interface BackdropUpload {
  readonly accountId: string;
  /** Asked once there is a place for the bytes; until then they wait where they are. */
  readonly readBytes: () => Promise<Uint8Array>;
  readonly signal: AbortSignal;
}

export interface KeptBackdrop {
  readonly backdrop: Backdrop;
  /** Paths and queries, to be set behind a base URL. */
  readonly uri: string;
  readonly previewUri: string;
}

/** Every use in a render renews a backdrop, and its URI is issued once: the row's own expiry decides. */
export const backdropUriLifeMs = 10 * 365 * 86_400_000;

export function createBackdropKeeper(needs: Needs) {
  const { backdrops, blobs, uris, inspect, admitUpload } = needs;

  async function keep({ accountId, readBytes, signal }: BackdropUpload): Promise<Backdrop> {
    const bytes = await readBytes();
    const image = await inspect(bytes, accountId, signal);
    const id = newId('bdp');
    await blobs.put(backdropBlobs.source(id), bytes);
    try {
      return await backdrops.insertBackdrop({ id, accountId, image });
    } catch (error) {
      // Without a row nobody could ever reach these bytes; should this fail as well, the sweeper finds them.
      await blobs.deleteAll(backdropBlobs.of(id)).catch(() => undefined);
      throw error;
    }
  }

  return {
    /** Resolves when picture and row are durable. */
    async keepBackdrop(upload: BackdropUpload): Promise<KeptBackdrop> {
      await admitUpload(upload.accountId);
      const inLine = AbortSignal.any([upload.signal, AbortSignal.timeout(longestLineMs)]);
      const claim = { account: upload.accountId, signal: inLine };
      const backdrop = await needs.places.hold(claim, () => keep(upload));
      return {
        backdrop,
        uri: uris.issue(backdrop, 'full', backdropUriLifeMs),
        previewUri: uris.issue(backdrop, 'preview', backdropUriLifeMs),
      };
    },

    /** Throws `illustration_not_found`. Resolves when neither row nor bytes are left. */
    async eraseBackdrop(id: string, accountId: string): Promise<void> {
      if (!(await backdrops.removeBackdrop(id, accountId)))
        throw new PackshotError('illustration_not_found', 'There is no illustration of yours with this id.');
      await blobs.deleteAll(backdropBlobs.of(id));
    },

    sweepBackdrops: createBackdropSweeper(needs).sweep,
  };
}

/** Erases what has expired, and the bytes that a crash between two writes left behind. */
export function createBackdropSweeper(
  needs: Pick<Needs, 'backdrops' | 'blobs' | 'clock' | 'onCounted' | 'onError'>,
): BlobSweeper {
  const { backdrops, blobs } = needs;
  return createBlobSweeper({
    ...needs,
    owners: {
      prefix: backdropBlobs.all,
      listExpired: backdrops.listExpired,
      isKnown: backdrops.hasBackdrop,
      async erase(id) {
        if (await backdrops.removeExpired(id)) await blobs.deleteAll(backdropBlobs.of(id));
      },
    },
  });
}

export type BackdropKeeper = ReturnType<typeof createBackdropKeeper>;
