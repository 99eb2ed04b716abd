/** Conductor of a caller's own backdrop: checked, kept, given signed URIs, and forgotten on request or by and by. */
import PQueue from 'p-queue';
import type { ImageFacts } from '../designs/read-image.ts';
import { PackshotError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { IllustrationUris } from '../recipes/illustration-uri.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { BackdropStore } from './backdrop-store.ts';
import { type Backdrop, backdropBlobs } from './illustration.ts';

/** An upload stores its bytes before its row; younger bytes without a row may belong to one that is under way. */
const orphanAgeMs = 3_600_000;

interface Needs {
  readonly backdrops: BackdropStore;
  readonly blobs: BlobStore;
  readonly uris: IllustrationUris;
  /** Decodes in a process that may die. Throws what `inspectImage` throws. */
  readonly inspect: (bytes: Uint8Array, signal: AbortSignal) => Promise<ImageFacts>;
  /** Throws where the storage has no room for uploads. */
  readonly admitUpload: () => Promise<void>;
  readonly clock: () => number;
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

/** Every use renews a backdrop, and its URI is issued once: the row's own expiry decides. */
const uriLifeMs = 10 * 365 * 86_400_000;
/** Uploads are held in memory until they are stored. */
const uploadsInMemory = 4;

export function createBackdropKeeper(needs: Needs) {
  const { backdrops, blobs, uris, inspect, admitUpload, clock, onError } = needs;
  const places = new PQueue({ concurrency: uploadsInMemory });

  async function erase({ id, accountId }: Pick<Backdrop, 'id' | 'accountId'>): Promise<boolean> {
    const was = await backdrops.removeBackdrop(id, accountId);
    if (was) await blobs.deleteAll(backdropBlobs.of(id));
    return was;
  }

  async function keep({ accountId, readBytes, signal }: BackdropUpload): Promise<Backdrop> {
    const bytes = await readBytes();
    const image = await inspect(bytes, signal);
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
      await admitUpload();
      const backdrop = await places.add(() => keep(upload), { signal: upload.signal });
      return {
        backdrop,
        uri: uris.issue(backdrop, 'full', uriLifeMs),
        previewUri: uris.issue(backdrop, 'preview', uriLifeMs),
      };
    },

    /** Throws `illustration_not_found`. Resolves when neither row nor bytes are left. */
    async eraseBackdrop(id: string, accountId: string): Promise<void> {
      if (await erase({ id, accountId })) return;
      throw new PackshotError('illustration_not_found', 'There is no illustration of yours with this id.');
    },

    /** Erases what has expired, and the bytes that a crash between two writes left behind. */
    async sweepBackdrops(): Promise<void> {
      for (const expired of await backdrops.listExpired()) await erase(expired).catch(onError);
      for await (const { key, modifiedAt } of blobs.list(backdropBlobs.all)) {
        const id = backdropBlobs.idIn(key);
        if (id === undefined || clock() - modifiedAt.getTime() < orphanAgeMs) continue;
        if (!(await backdrops.hasBackdrop(id))) await blobs.deleteAll(backdropBlobs.of(id)).catch(onError);
      }
    },
  };
}

export type BackdropKeeper = ReturnType<typeof createBackdropKeeper>;
