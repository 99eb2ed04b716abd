/** Runs a cutout call of a drop-in interface: stores the photo, waits for its cutout, makes the picture, charges. */

import { type ErrorCode, PackshotError } from 'packshot-errors';
import type { Size, StepTiming } from 'packshot-pixels';
import type { Receipt, RenderCharger } from '../accounts/charge-render.ts';
import type { CutoutMaker } from '../cutouts/make-cutout.ts';
import { underDeadline } from '../deadline.ts';
import type { DesignCreator, Photo } from '../designs/create-design.ts';
import { designBlobs } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { DesignEraser } from '../designs/erase-designs.ts';
import type { UploadPlaces } from '../designs/upload-places.ts';
import type { Leave } from '../fair-semaphore.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Tasks } from '../tasks.ts';
import { createEarlierCalls, type EarlierCalls } from './earlier-calls.ts';
import type { FinishedPicture, finishCutout } from './finish/finish-cutout.ts';
import { keepFiles } from './keep-files.ts';
import { layPhoto, makeEmptyPicture, makePicture, nameOf, type PictureDependencies } from './make-picture.ts';
import type { PictureOrder, SubjectClass } from './order.ts';
import type { preparePhoto } from './prepare-photo.ts';
import {
  type PhotoCall,
  type PhotoDependencies,
  type ReadPhoto,
  readBackground,
  readPhoto,
} from './read-photo.ts';
import { classifySubject } from './subject-class.ts';

/** How long a photo is kept for a caller who did not get its cutout in time, in milliseconds. */
const keptMs = 600_000;

interface Dependencies extends PhotoDependencies, PictureDependencies {
  readonly creator: DesignCreator;
  readonly cutouts: Pick<CutoutMaker, 'joinCutout' | 'readCutout' | 'readMatte'>;
  readonly blobs: Pick<BlobStore, 'get' | 'put' | 'deleteAll'>;
  /** Places of one pixel each, for photos that are cropped or scaled down before they are stored. */
  readonly pixelPlaces: UploadPlaces;
  readonly chargeRender: RenderCharger;
  readonly noteUpload: (keyId: string) => Promise<void>;
  readonly imaging: Tasks<{ preparePhoto: typeof preparePhoto; finishCutout: typeof finishCutout }>;
  readonly eraser: Pick<DesignEraser, 'eraseDesign'>;
  readonly designs: Pick<DesignStore, 'expireIn' | 'findDesign'>;
  readonly clock: () => number;
  /** Whether designs are kept after the response, like those of ordinary uploads. */
  readonly keepDesigns: boolean;
  /** Called with errors during deletion. */
  readonly onError: (error: unknown) => void;
}

export interface DialectCall extends Omit<PhotoCall, 'takePlaces'> {
  readonly timeoutMs: number;
  /** Called with the id of the design once it exists. */
  readonly onDesign: (id: string) => void;
  /** Called with work to do after the response is sent. */
  readonly afterwards: (work: () => Promise<void>) => void;
}

export interface DialectCutout extends FinishedPicture {
  readonly order: PictureOrder;
  /** Size of the upright photo. */
  readonly photo: Size;
  readonly subject: SubjectClass;
  /** 0 to 1. */
  readonly confidence: number;
  /** Id of the removal engine. */
  readonly engine: string;
  readonly receipt: Receipt;
  readonly timings: readonly StepTiming[];
}

export type DialectCutter = ReturnType<typeof createDialectCutter>;

export function createDialectCutter(needs: Dependencies) {
  const { findDesign } = needs.designs;
  // Half of the time, so that no design expires while a repeated call works with it.
  const earlierCalls = createEarlierCalls({ findDesign, clock: needs.clock, takenForMs: keptMs / 2 });

  async function makeOrdered(
    call: DialectCall,
    { design, isRepeat, price, prepared, digest, putAway }: Awaited<ReturnType<typeof storePhoto>>,
  ): Promise<DialectCutout> {
    const { caller, signal, timeoutMs } = call;
    const { accountId, keyId, sandbox } = caller;
    if (!isRepeat) await needs.noteUpload(keyId);
    const purchase = { keyId, sandbox, size: price, mayBeKnown: false };
    const { result, receipt } = await needs.chargeRender(purchase, (claim) =>
      underDeadline(
        {
          timeoutMs,
          signal,
          what: 'The cutout',
          advice: 'Send the same photo again in a moment: its cutout continues.',
        },
        async (within) => {
          // The cutout is made meanwhile, so the call fails early if the background cannot be fetched.
          const order = await putAway(within);
          const joined = await needs.cutouts
            .joinCutout(design, within, { patienceMs: isRepeat ? 0 : timeoutMs / 2 })
            .catch((error: unknown) => {
              if (order.allowsEmpty && isOf(error, 'no_subject_found')) return undefined;
              throw error;
            });
          const layout = prepared ?? layPhoto(design, order);
          if (!joined) {
            const options = { signal: within, account: accountId };
            return { picture: await makeEmptyPicture(needs, order, layout, options), order, layout };
          }
          await claim(nameOf(digest, order));
          const picture = await makePicture(needs, joined.design, order, layout, within);
          return { picture, order, layout, joined };
        },
      ),
    );
    const { picture, order, layout, joined } = result;
    const ready = joined?.design;
    return {
      ...picture,
      order,
      photo: layout.photo,
      subject: classifySubject(ready?.product?.kind, order.subject),
      confidence: ready?.subject.confidence ?? 0,
      engine: ready?.cutoutVersion.split('/')[0] ?? 'none',
      receipt,
      timings: joined?.timings ?? [],
    };
  }

  /** Throws the errors of the functions that it calls, including the dialect's own error for an invalid request. */
  return async function cutForDialect(call: DialectCall): Promise<DialectCutout> {
    const { signal, caller } = call;
    const { accountId } = caller;
    const stored = await storePhoto(needs, earlierCalls, call);
    const { design } = stored;
    call.onDesign(design.id);
    const made = makeOrdered(call, stored);
    call.afterwards(async () => {
      const isLate = await made.then(
        () => false,
        (error: unknown) => isOf(error, 'deadline_exceeded'),
      );
      const mayCallAgain = signal.aborted || isLate;
      if (mayCallAgain) earlierCalls.noteLeft(stored.key, design.id);
      else earlierCalls.forget(stored.key, design.id);
      if (needs.keepDesigns) return;
      await (mayCallAgain
        ? needs.designs.expireIn(design.id, keptMs).catch(needs.onError)
        : eraseDesign(needs, design.id, accountId));
    });
    return made;
  };
}

/** Returns no bytes, so that none stay in memory while the cutout is made. */
async function storePhoto(needs: Dependencies, earlierCalls: EarlierCalls, call: DialectCall) {
  const { signal, timeoutMs, caller } = call;
  const { accountId } = caller;
  let read: ReadPhoto | undefined;
  let leave: Leave | undefined;
  let key = '';
  let isRepeat = false;
  const takePlaces = async (weight: number): Promise<void> => {
    leave = await needs.pixelPlaces.enter({ account: accountId, weight, signal });
  };
  const readUpload = async () => {
    read = await readPhoto(needs, { ...call, takePlaces });
    return read.upload;
  };
  const findKnown = async (photo: Photo) => {
    key = earlierCalls.keyOf(accountId, photo);
    const earlier = await earlierCalls.take(key);
    isRepeat = earlier !== undefined;
    return earlier;
  };
  const upload = {
    accountId,
    signal,
    isSizeChecked: true,
    // Callers who come back do not lose what was done for them, so their account waits its turn.
    patienceMs: earlierCalls.hasAny(accountId) ? Number.POSITIVE_INFINITY : timeoutMs,
    readPhoto: readUpload,
    findKnown,
  };
  const design = await needs.creator.createDesign(upload).finally(() => leave?.());
  const { order, price, prepared, digest } = read!;
  const putAway = createPutAway(needs, call, design.id, order);
  return { design, key, isRepeat, price, prepared, digest, putAway };
}

/** Returns a function that leaves no file of the call in memory while its cutout is made. */
function createPutAway(needs: Dependencies, call: DialectCall, designId: string, sent: PictureOrder) {
  let order: PictureOrder | undefined = sent;
  return async (signal: AbortSignal): Promise<PictureOrder> => {
    const behind = await readBackground(needs, { ...call, signal }, order!);
    if (behind || order!.masks)
      call.afterwards(() => needs.blobs.deleteAll(designBlobs.callFile(designId)).catch(needs.onError));
    const kept = await keepFiles(needs.blobs, designId, order!, behind);
    order = undefined;
    return kept;
  };
}

const isOf = (error: unknown, code: ErrorCode): boolean =>
  error instanceof PackshotError && error.code === code;

async function eraseDesign({ eraser, onError }: Dependencies, id: string, accountId: string): Promise<void> {
  await eraser.eraseDesign(id, accountId).catch((error: unknown) => {
    if (!isOf(error, 'design_not_found')) onError(error);
  });
}
