/** Coordinates an upload: validates and stores the photo, inserts its row, and enqueues the cutout. */
import { PackshotError } from 'packshot-errors';
import { newId } from '../ids.ts';
import type { JobTurn, Queue } from '../jobs/queue.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';
import { transact } from '../storage/transact.ts';
import { priorities } from '../tasks.ts';
import { designBlobs, type PhotoOrigin, type ProcessingDesign } from './design.ts';
import type { DesignStore } from './design-store.ts';
import type { PhotoInspector } from './inspect-photo.ts';
import type { UploadPlaces } from './upload-places.ts';

/** Name of the cutout job; its key is the design's id. */
export const cutoutJob = 'cutout';

interface Dependencies {
  readonly database: Database;
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly inspector: Pick<PhotoInspector, 'inspectPhoto'>;
  /** Throws if the storage is full, or if the account has used up its share of the storage. */
  readonly admitUpload: (accountId: string) => Promise<void>;
  readonly places: UploadPlaces;
  /** Time from the upload until a caller may need the cutout, in milliseconds. */
  readonly dueInMs: number;
  /** Maximum unfinished cutouts of one account; further uploads are refused. */
  readonly maxWaitingCutouts: number;
  /** Average milliseconds between finished cutouts at present; 0 if unknown. */
  readonly findPaceMs: () => number;
  /** The same if all cutouts took as little time as the fastest recent one. */
  readonly findLeastPaceMs: () => number;
}

export interface Upload<Known = never> {
  readonly accountId: string;
  /** Called once the upload holds a memory slot; the bytes are not read before. */
  readonly readPhoto: () => Promise<Photo>;
  /** With `batch`, no caller waits for the cutout, and all other work takes precedence. Default `upload`. */
  readonly urgency?: 'upload' | 'batch';
  /** The same for the cutout alone: the caller waits only until the photo is stored. Default: `urgency`. */
  readonly cutoutUrgency?: 'upload' | 'batch' | undefined;
  /**
   * Whether the caller has already checked the original file's size in bytes. If so, the limit on an upload's bytes
   * does not apply to this photo: a crop or a smaller copy of the original is saved without loss, so it may have more
   * bytes than the original.
   */
  readonly isSizeChecked?: boolean;
  /** A design that an earlier call made from the same photo; it is returned instead of a new one. */
  readonly findKnown?: (photo: Photo) => Promise<Known | undefined>;
  /** How long the caller can wait for the cutout, in milliseconds. Refused if that is certainly too short. */
  readonly patienceMs?: number;
  readonly signal: AbortSignal;
}

export interface Photo extends PhotoOrigin {
  readonly bytes: Uint8Array;
}

export function createDesignCreator(needs: Dependencies) {
  const { database, designs, blobs, queue, inspector, admitUpload, maxWaitingCutouts } = needs;

  /** Resolves when photo, row and job are durable. From then on, only a deletion removes the design. */
  async function createDesign<Known = never>(upload: Upload<Known>): Promise<ProcessingDesign | Known> {
    const {
      accountId,
      readPhoto,
      urgency = 'upload',
      cutoutUrgency = urgency,
      patienceMs = Number.POSITIVE_INFINITY,
      signal,
    } = upload;
    // Checked before reading a byte, so that a refused upload is not transferred.
    await admit(accountId, patienceMs);
    const place = { account: accountId, priority: priorities[urgency], signal };
    return needs.places.hold(place, async () => {
      const photo = await readPhoto();
      const earlier = await upload.findKnown?.(photo);
      if (earlier) return earlier;
      const { bytes: sent, ...origin } = photo;
      const { isSizeChecked } = upload;
      const options = { account: accountId, urgency, signal, isSizeChecked };
      const { facts: image, bytes } = await inspector.inspectPhoto(sent, options);
      // Checked again: many uploads may have been admitted before any of them was counted.
      await admit(accountId, patienceMs);
      const design = designs.newDesign(
        { id: newId('dsg'), accountId, image, origin: trimOrigin(origin) },
        { dueInMs: cutoutUrgency === 'batch' ? undefined : needs.dueInMs },
      );
      return keep(design, bytes, cutoutUrgency === 'batch' ? behindOthers : {});
    });
  }

  async function admit(accountId: string, patienceMs: number): Promise<void> {
    await admitUpload(accountId);
    const waiting = await queue.countOf(cutoutJob, accountId);
    if (waiting < maxWaitingCutouts && waiting * needs.findLeastPaceMs() <= patienceMs) return;
    const paceMs = needs.findPaceMs();
    const excessMs = Math.max((waiting - maxWaitingCutouts + 1) * paceMs, waiting * paceMs - patienceMs);
    const retryAfterS = Math.max(1, Math.ceil(excessMs / 1_000));
    throw new PackshotError(
      'queue_full',
      `${waiting} photos of your account are waiting for their cutouts; try again in ${retryAfterS} s.`,
      { retryAfterS },
    );
  }

  async function keep(design: ProcessingDesign, bytes: Uint8Array, turn: JobTurn): Promise<ProcessingDesign> {
    await blobs.put(designBlobs.source(design.id), bytes);
    try {
      await transact(database, async (transaction) => {
        await designs.insertDesign(design, transaction);
        await queue.enqueue(cutoutJob, design.id, transaction, { ...turn, accountId: design.accountId });
      });
    } catch (error) {
      // Bytes without a row are unreachable, so delete them; if that fails, a sweep deletes them later. After a
      // retryable error, the commit may have succeeded, so keep the bytes: their row may exist.
      if (!(error instanceof PackshotError && error.retryable))
        await blobs.deleteAll(designBlobs.of(design.id)).catch(() => undefined);
      throw error;
    }
    queue.wake();
    return design;
  }

  return { createDesign };
}

/** Lower than the rank of cutouts for which callers wait. */
const behindOthers = { rank: -1 } satisfies JobTurn;

export type DesignCreator = ReturnType<typeof createDesignCreator>;

/** Maximum length of each text, in characters; enough for every meaningful name. */
const maxLength = { fileName: 200, kindHint: 100 };

function trimOrigin({ fileName, kindHint, ...wishes }: PhotoOrigin): PhotoOrigin {
  return {
    ...wishes,
    fileName: fileName?.slice(0, maxLength.fileName) || undefined,
    kindHint: kindHint?.slice(0, maxLength.kindHint) || undefined,
  };
}
