/** A caller's own backdrop: validates and stores it, issues its URIs, deletes it on request or when it expires. */

import { PackshotError } from 'packshot-errors';
import type { PhotoInspector } from '../designs/inspect-photo.ts';
import type { UploadPlaces } from '../designs/upload-places.ts';
import { newId } from '../ids.ts';
import { type BlobSweeper, createBlobSweeper, type SweepDependencies } from '../storage/sweep-blobs.ts';
import type { BackdropStore } from './backdrop-store.ts';
import { type Backdrop, backdropBlobs } from './illustration.ts';
import type { IllustrationUris } from './illustration-uri.ts';

interface Dependencies extends SweepDependencies {
  readonly backdrops: BackdropStore;
  readonly uris: IllustrationUris;
  readonly inspector: Pick<PhotoInspector, 'inspectPhoto'>;
  /** Throws if the storage has no room for uploads, or if the account has used up its share of the storage. */
  readonly admitUpload: (accountId: string) => Promise<void>;
  /** Slots for uploads, which are held in memory until they are stored; all kinds of uploads share these slots. */
  readonly places: UploadPlaces;
}

export interface BackdropUpload {
  readonly accountId: string;
  /** Called once the upload is admitted; the bytes are not read earlier. */
  readonly readBytes: () => Promise<Uint8Array>;
  readonly signal: AbortSignal;
}

export interface KeptBackdrop {
  readonly backdrop: Backdrop;
  /** `uri` and `previewUri` are path and query of a URI, to be appended to a base URL. */
  readonly uri: string;
  readonly previewUri: string;
}

/**
 * A backdrop's URI is issued once, but each render extends the backdrop's life. So the URI itself expires only after
 * ten years; in practice, it works until the backdrop expires.
 */
export const backdropUriLifeMs = 10 * 365 * 86_400_000;

export function createBackdropKeeper(needs: Dependencies) {
  const { backdrops, blobs, uris, inspector, admitUpload } = needs;

  async function keep({ accountId, readBytes, signal }: BackdropUpload): Promise<Backdrop> {
    const options = { signal, urgency: 'upload', account: accountId } as const;
    const { facts: image, bytes } = await inspector.inspectPhoto(await readBytes(), options);
    const id = newId('bdp');
    await blobs.put(backdropBlobs.source(id), bytes);
    try {
      return await backdrops.insertBackdrop({ id, accountId, image });
    } catch (error) {
      // Bytes without a row are unreachable. If this deletion fails too, the sweeper deletes the bytes later.
      await blobs.deleteAll(backdropBlobs.of(id)).catch(() => undefined);
      throw error;
    }
  }

  return {
    /** Resolves when the picture and its row are durable. */
    async keepBackdrop(upload: BackdropUpload): Promise<KeptBackdrop> {
      await admitUpload(upload.accountId);
      const claim = { account: upload.accountId, signal: upload.signal };
      const backdrop = await needs.places.hold(claim, () => keep(upload));
      return {
        backdrop,
        uri: uris.issue(backdrop, 'full', backdropUriLifeMs),
        previewUri: uris.issue(backdrop, 'preview', backdropUriLifeMs),
      };
    },

    /** Throws `illustration_not_found`. Resolves when the row and the bytes are gone. */
    async eraseBackdrop(id: string, accountId: string): Promise<void> {
      if (!(await backdrops.removeBackdrop(id, accountId)))
        throw new PackshotError('illustration_not_found', 'Your account has no illustration with this id.');
      await blobs.deleteAll(backdropBlobs.of(id));
    },

    sweepBackdrops: createBackdropSweeper(needs).sweep,
  };
}

/** Deletes expired backdrops, and bytes orphaned by a crash between two writes. */
export function createBackdropSweeper(
  needs: SweepDependencies & Pick<Dependencies, 'backdrops'>,
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
