/**
 * Conductor of a call that sends a photo and waits for its cutout: uploads the photo, waits for the cutout, finishes
 * and charges the picture, and erases the design after the response.
 */
import { createHash } from 'node:crypto';
import type { Caller } from '../accounts/authenticate.ts';
import {
  type Purchase,
  type Receipt,
  type RenderCharger,
  requireCredits,
} from '../accounts/charge-render.ts';
import { type CreditStore, fromMilli } from '../accounts/credit-store.ts';
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import { underDeadline } from '../deadline.ts';
import type { DesignCreator, Photo } from '../designs/create-design.ts';
import type { ProcessingDesign, ReadyDesign } from '../designs/design.ts';
import type { DesignEraser } from '../designs/erase-designs.ts';
import { ofAnySize, type PhotoInspector } from '../designs/inspect-photo.ts';
import type { ImageLimits } from '../designs/read-image.ts';
import { PackshotError } from '../errors.ts';
import { makeEtag } from '../etag.ts';
import type { Box } from '../pixels.ts';
import type { StepTiming } from '../step-clock.ts';
import type { Tasks } from '../tasks.ts';
import type { FinishedPicture, finishCutout } from './finish/finish-cutout.ts';
import type { CutoutOrder, PictureOrder, PictureSource, SubjectClass } from './order.ts';
import type { PreparedPhoto, preparePhoto } from './prepare-photo.ts';
import { fitSize, limitPixels, type RegionFault, type Size } from './sizes.ts';
import { chooseShadow, classifySubject, toKindHint } from './subject-class.ts';

/** Clients give up after 20 s without an answer. */
const patienceMs = 19_000;

interface Dependencies {
  readonly creator: DesignCreator;
  readonly cutouts: Pick<CutoutMaker, 'joinCutout' | 'readCutout' | 'readMatte'>;
  readonly fetchImage: (url: string, options: { readonly signal: AbortSignal }) => Promise<Buffer>;
  readonly chargeRender: RenderCharger;
  readonly credits: CreditStore;
  readonly noteUpload: (keyId: string) => Promise<void>;
  readonly inspector: Pick<PhotoInspector, 'toReadable'>;
  readonly imaging: Tasks<{ preparePhoto: typeof preparePhoto; finishCutout: typeof finishCutout }>;
  readonly eraser: Pick<DesignEraser, 'eraseDesign'>;
  /** Whether designs are kept after the response, like uploads. */
  readonly keepDesigns: boolean;
  /** Called with errors during erasure. */
  readonly onError: (error: unknown) => void;
  readonly limits: ImageLimits;
  readonly deadlineMs: number;
}

export interface DialectCall {
  readonly caller: Caller;
  /** Reads the body. Called once there is a memory slot for it. */
  readonly readOrder: () => Promise<CutoutOrder>;
  readonly signal: AbortSignal;
  /** Called with the id of the design once it exists. */
  readonly onDesign: (id: string) => void;
  /** Called with work to do after the response is sent. */
  readonly afterwards: (work: () => Promise<void>) => void;
  readonly refuseRegion: (fault: RegionFault) => Error;
  readonly blameFetch: (error: PackshotError, what: 'photo' | 'background') => Error;
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
  /** Throws the errors of the conductors, and the call's own refusals. */
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
          // Fail early if the background cannot be fetched.
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

interface ReadPhoto {
  readonly order: PictureOrder;
  readonly price: Purchase['size'];
  readonly upload: Photo;
  /** Undefined if the photo is cut out unchanged. */
  readonly prepared: Omit<PreparedPhoto, 'bytes'> | undefined;
  /** Kept only if the photo's original colors are requested. */
  readonly original: Uint8Array | undefined;
}

async function readPhoto(needs: Dependencies, call: DialectCall): Promise<ReadPhoto> {
  const { keyId, sandbox, accountId } = call.caller;
  const { source, ...asked } = await call.readOrder();
  const order = asked.size === 'auto' ? { ...asked, size: await chooseSize(needs, call.caller) } : asked;
  const price = order.size === 'preview' ? 'preview' : 'generated';
  await requireCredits(needs.credits, { keyId, sandbox, size: price, mayBeKnown: false });
  const bytes = await readSource(needs, call, source, 'photo');
  const fileName = 'url' in source ? lastOfPath(source.url) : source.fileName;
  const origin = { fileName, kindHint: toKindHint(order) };
  const original = order.ownColors ? bytes : undefined;
  // At these sizes most photos are cut out unchanged, and larger pictures are scaled down afterwards.
  const isWhole = !order.roi && ['full', '36MP', '50MP', 'photo'].includes(order.size);
  if (isWhole) return { order, price, upload: { bytes, ...origin }, prepared: undefined, original };
  const limits = ofAnySize(needs.limits);
  const mostPixels = limitPixels(order);
  const prepared = await needs.imaging.preparePhoto(
    { bytes, limits, roi: order.roi, mostPixels },
    { signal: call.signal, urgency: 'upload', account: accountId },
  );
  if ('fault' in prepared) throw call.refuseRegion(prepared.fault);
  const { bytes: part, ...layout } = prepared;
  return { order, price, upload: { bytes: part ?? bytes, ...origin }, prepared: layout, original };
}

/** The largest size that the key can pay for. */
async function chooseSize(needs: Dependencies, { keyId, sandbox }: Caller): Promise<'full' | 'preview'> {
  if (sandbox) return 'full';
  const { remainingMilli } = await needs.credits.readQuota(keyId);
  return remainingMilli === null || fromMilli(remainingMilli) >= 1 ? 'full' : 'preview';
}

async function readSource(
  needs: Dependencies,
  call: DialectCall,
  source: PictureSource,
  what: 'photo' | 'background',
): Promise<Uint8Array> {
  const bytes = await readSent(needs, call, source, what);
  const { accountId: account } = call.caller;
  return needs.inspector.toReadable(bytes, { signal: call.signal, urgency: 'upload', account });
}

async function readSent(
  { fetchImage, limits }: Dependencies,
  { signal, blameFetch }: DialectCall,
  source: PictureSource,
  what: 'photo' | 'background',
): Promise<Uint8Array> {
  if ('url' in source) {
    return fetchImage(source.url, { signal }).catch((error: unknown) => {
      throw error instanceof PackshotError && error.status < 429 ? blameFetch(error, what) : error;
    });
  }
  if (source.bytes.byteLength <= limits.maxBytes) return source.bytes;
  throw new PackshotError('file_too_large', `The file is larger than ${limits.maxBytes} bytes.`);
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

interface Layout extends Omit<PreparedPhoto, 'bytes'> {
  readonly behind: Uint8Array | undefined;
  readonly original: Uint8Array | undefined;
}

/** Layout of a photo that was cut out unchanged. */
function layPhoto(
  { image: { width, height } }: ProcessingDesign,
  order: PictureOrder,
): Omit<PreparedPhoto, 'bytes'> {
  const canvas = fitSize({ width, height }, limitPixels(order));
  return { photo: { width, height }, canvas, region: { x: 0, y: 0, ...canvas } };
}

/** Identifies the picture by everything that affects its bytes: the same one is charged once an hour. */
function nameOf(design: ReadyDesign, order: PictureOrder, { canvas, region, behind }: Layout): string {
  const { background, ...rest } = order;
  const below =
    background && 'color' in background
      ? background.color
      : behind && createHash('sha256').update(behind).digest('hex');
  return makeEtag([design.image.sha256, design.cutoutVersion, canvas, region, rest, below]);
}

async function makePicture(
  needs: Dependencies,
  design: ReadyDesign,
  order: PictureOrder,
  layout: Layout,
  signal: AbortSignal,
): Promise<FinishedPicture> {
  const stored = await readStored(needs, design, order, layout);
  if (stored) return stored;
  const { canvas, region, behind, original } = layout;
  const { background } = order;
  const subject = classifySubject(design.product?.kind, order.subject);
  // A subject cut off by the photo's lower edge has no base to cast a shadow from.
  const stands = !design.subject.touchesEdges.includes('bottom');
  return needs.imaging.finishCutout(
    {
      cutoutPng: await needs.cutouts.readCutout(design),
      subject: design.subject.boundingBox,
      canvas,
      region,
      format: order.format,
      channels: order.channels,
      crop: order.crop,
      scale: order.scale,
      position: order.position,
      background: behind ? { bytes: behind } : background && 'color' in background ? background : undefined,
      solid: order.solid ?? false,
      binary: order.binary ?? false,
      photo: original,
      shadow: stands ? chooseShadow(order.shadow, subject) : undefined,
      limits: ofAnySize(needs.limits),
    },
    { signal, urgency: 'generated', account: design.accountId },
  );
}

/** Returns the stored cutout unchanged if nothing else was requested. */
async function readStored(
  { cutouts }: Dependencies,
  design: ReadyDesign,
  order: PictureOrder,
  { canvas, region }: Layout,
): Promise<FinishedPicture | undefined> {
  const { width, height } = design.image;
  const isWhole =
    width === canvas.width && height === canvas.height && isSame(region, { x: 0, y: 0, ...canvas });
  const isChanged =
    order.crop ?? order.scale ?? order.position ?? order.background ?? order.shadow ?? undefined;
  if (!isWhole || isChanged !== undefined || order.solid || order.binary || order.ownColors) return undefined;
  const isMatte = order.channels === 'alpha';
  const isPng =
    order.format === 'png' || (order.format === 'auto' && (isMatte || design.subject.coverage < 1));
  if (!isPng) return undefined;
  const bytes = isMatte ? await cutouts.readMatte(design) : await cutouts.readCutout(design);
  return { bytes, contentType: 'image/png', width, height, foreground: design.subject.boundingBox };
}

const isSame = (one: Box, other: Box): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;

/** File name of a fetched URL; undefined if it cannot be decoded. */
function lastOfPath(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  } catch {
    return undefined;
  }
}
