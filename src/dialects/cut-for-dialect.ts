/** Runs a cutout call of a drop-in interface: stores the photo, waits for its cutout, makes the picture, charges. */
import type { Receipt, RenderCharger } from '../accounts/charge-render.ts';
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import { underDeadline } from '../deadline.ts';
import type { DesignCreator } from '../designs/create-design.ts';
import type { DesignEraser } from '../designs/erase-designs.ts';
import { PackshotError } from '../errors.ts';
import type { Size } from '../pixels.ts';
import type { StepTiming } from '../step-clock.ts';
import type { Tasks } from '../tasks.ts';
import type { FinishedPicture, finishCutout } from './finish/finish-cutout.ts';
import { layPhoto, makePicture, nameOf, type PictureDependencies } from './make-picture.ts';
import type { PictureOrder, SubjectClass } from './order.ts';
import type { preparePhoto } from './prepare-photo.ts';
import {
  type PhotoCall,
  type PhotoDependencies,
  type ReadPhoto,
  readPhoto,
  readSource,
} from './read-photo.ts';
import { classifySubject } from './subject-class.ts';

/** Clients give up after 20 s without a response. */
const patienceMs = 19_000;

interface Dependencies extends PhotoDependencies, PictureDependencies {
  readonly creator: DesignCreator;
  readonly cutouts: Pick<CutoutMaker, 'joinCutout' | 'readCutout' | 'readMatte'>;
  readonly chargeRender: RenderCharger;
  readonly noteUpload: (keyId: string) => Promise<void>;
  readonly imaging: Tasks<{ preparePhoto: typeof preparePhoto; finishCutout: typeof finishCutout }>;
  readonly eraser: Pick<DesignEraser, 'eraseDesign'>;
  /** Whether designs are kept after the response, like those of ordinary uploads. */
  readonly keepDesigns: boolean;
  /** Called with errors during deletion. */
  readonly onError: (error: unknown) => void;
  readonly deadlineMs: number;
}

export interface DialectCall extends PhotoCall {
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
  /** Throws the errors of the functions that it calls, including the dialect's own error for an invalid request. */
  return async function cutForDialect(call: DialectCall): Promise<DialectCutout> {
    const { caller, signal } = call;
    const { accountId, keyId, sandbox } = caller;
    let read: ReadPhoto | undefined;
    const design = await needs.creator.createDesign({
      accountId,
      signal,
      isSizeChecked: true,
      readPhoto: async () => {
        read = await readPhoto(needs, call);
        return read.upload;
      },
    });
    call.onDesign(design.id);
    if (!needs.keepDesigns) call.afterwards(() => eraseDesign(needs, design.id, accountId));
    await needs.noteUpload(keyId);
    const { order, price, prepared, original } = read!;
    // The photo is stored, so it need not stay in memory while its cutout is made.
    read = undefined;
    const purchase = { keyId, sandbox, size: price, mayBeKnown: false };
    const { result, receipt } = await needs.chargeRender(purchase, (claim) =>
      underDeadline(
        {
          timeoutMs: Math.min(needs.deadlineMs, patienceMs),
          signal,
          what: 'The cutout',
          advice: 'Call again in a moment, or send a smaller photo.',
        },
        async (within) => {
          // Fetch the background while the cutout is made, so that the call fails early if it cannot be fetched.
          const [behind, { design: ready, timings }] = await Promise.all([
            fetchBackground(needs, call, order, within),
            needs.cutouts.joinCutout(design, within, { patienceMs: patienceMs / 2 }),
          ]);
          const layout = { ...(prepared ?? layPhoto(design, order)), behind, original };
          await claim(nameOf(ready, order, layout));
          const picture = await makePicture(needs, ready, order, layout, within);
          return { picture, ready, layout, timings };
        },
      ),
    );
    const { picture, ready, layout, timings } = result;
    return {
      ...picture,
      order,
      photo: layout.photo,
      subject: classifySubject(ready.product?.kind, order.subject),
      confidence: ready.subject.confidence,
      engine: ready.cutoutVersion.split('/')[0]!,
      receipt,
      timings,
    };
  };
}

async function eraseDesign({ eraser, onError }: Dependencies, id: string, accountId: string): Promise<void> {
  await eraser.eraseDesign(id, accountId).catch((error: unknown) => {
    const isGone = error instanceof PackshotError && error.code === 'design_not_found';
    if (!isGone) onError(error);
  });
}

function fetchBackground(
  needs: Dependencies,
  call: DialectCall,
  { background }: PictureOrder,
  signal: AbortSignal,
): Promise<Uint8Array> | undefined {
  if (!background || !('picture' in background)) return undefined;
  return readSource(needs, { ...call, signal }, background.picture, 'background');
}
