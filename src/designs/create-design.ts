/** Conductor of an upload: bytes, checked, kept, given an id, and on their way to a cutout. */
import { PackshotError } from '../errors.ts';
import type { FairPlaces } from '../fair-places.ts';
import { newId } from '../ids.ts';
import type { Queue } from '../jobs/queue.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';
import { transact } from '../storage/transact.ts';
import { designBlobs, type PhotoOrigin, type ProcessingDesign } from './design.ts';
import type { DesignStore } from './design-store.ts';
import type { ImageFacts } from './read-image.ts';

/** Name of the job that makes a design's cutout; its key is the design's id. */
export const cutoutJob = 'cutout';

interface Needs {
  readonly database: Database;
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  /** Decodes in a process that may die. Throws what `inspectImage` throws. */
  readonly inspect: (bytes: Uint8Array, accountId: string, signal: AbortSignal) => Promise<ImageFacts>;
  /** Throws where the storage has no room for uploads, or the account has used up its share. */
  readonly admitUpload: (accountId: string) => Promise<void>;
  /** Files are held in memory until they are stored; all kinds of uploads share these places. */
  readonly places: FairPlaces;
  /** Of its uploads, in the places. */
  readonly priority: number;
  /** How soon after the upload a caller may need the cutout; undefined where no caller waits. */
  readonly dueInMs?: number | undefined;
  /** Unfinished cutouts of one account, beyond which its uploads are refused. */
  readonly maxWaitingCutouts: number;
}

export interface Upload {
  readonly accountId: string;
  /** Asked once there is a place for the bytes; until then they wait where they are. */
  readonly readPhoto: () => Promise<Photo>;
  readonly signal: AbortSignal;
}

export interface Photo extends PhotoOrigin {
  readonly bytes: Uint8Array;
}

/** A caller who would wait longer for a place in memory is better told to come back. */
export const longestLineMs = 30_000;

export function createDesignCreator(needs: Needs) {
  const { database, designs, blobs, queue, inspect, admitUpload, maxWaitingCutouts } = needs;

  /** Resolves when photo, row and job are durable: from then on the design survives anything but its deletion. */
  async function createDesign({ accountId, readPhoto, signal }: Upload): Promise<ProcessingDesign> {
    // Before a byte is read, so that nothing is uploaded in vain.
    await admit(accountId);
    const inLine = AbortSignal.any([signal, AbortSignal.timeout(longestLineMs)]);
    return needs.places.hold({ account: accountId, priority: needs.priority, signal: inLine }, async () => {
      const { bytes, ...origin } = await readPhoto();
      const image = await inspect(bytes, accountId, signal);
      // Asked again: many may have been admitted while none of them was counted yet.
      await admit(accountId);
      const design = designs.newDesign(
        { id: newId('dsg'), accountId, image, origin: trimOrigin(origin) },
        { dueInMs: needs.dueInMs },
      );
      return keep(design, bytes);
    });
  }

  async function admit(accountId: string): Promise<void> {
    await admitUpload(accountId);
    const waiting = await queue.countOf(cutoutJob, accountId);
    if (waiting < maxWaitingCutouts) return;
    throw new PackshotError(
      'queue_full',
      `${waiting} photos of your account are waiting for their cutouts, the most that may; try again when one is done.`,
      { retryAfterS: 5 },
    );
  }

  async function keep(design: ProcessingDesign, bytes: Uint8Array): Promise<ProcessingDesign> {
    await blobs.put(designBlobs.source(design.id), bytes);
    try {
      await transact(database, async (transaction) => {
        await designs.insertDesign(design, transaction);
        await queue.enqueue(cutoutJob, design.id, transaction, { accountId: design.accountId });
      });
    } catch (error) {
      // Without a row nobody could ever reach these bytes; what is left of them the sweeper finds. Of a commit whose
      // answer was lost nobody knows whether there is a row.
      if (!(error instanceof PackshotError && error.retryable))
        await blobs.deleteAll(designBlobs.of(design.id)).catch(() => undefined);
      throw error;
    }
    queue.wake();
    return design;
  }

  return { createDesign };
}

export type DesignCreator = ReturnType<typeof createDesignCreator>;

/** Long enough for every name that says something. */
const longest = { fileName: 200, kindHint: 100 };

function trimOrigin({ fileName, kindHint }: PhotoOrigin): PhotoOrigin {
  return {
    fileName: fileName?.slice(0, longest.fileName) || undefined,
    kindHint: kindHint?.slice(0, longest.kindHint) || undefined,
  };
}
