/**
 * The photo of a call: reads its order, checks what the key can pay for, and crops the photo to the requested
 * region.
 */
import type { Caller } from '../accounts/authenticate.ts';
import { type Purchase, requireCredits } from '../accounts/charge-render.ts';
import { type CreditStore, fromMilli } from '../accounts/credit-store.ts';
import { lastOfPath } from '../designs/check-url.ts';
import type { Photo } from '../designs/create-design.ts';
import { ofAnySize } from '../designs/image-limits.ts';
import type { PhotoInspector } from '../designs/inspect-photo.ts';
import type { ImageLimits } from '../designs/read-image.ts';
import { PackshotError } from '../errors.ts';
import type { Tasks } from '../tasks.ts';
import type { CutoutOrder, PictureOrder, PictureSource } from './order.ts';
import type { PreparedPhoto, preparePhoto } from './prepare-photo.ts';
import { limitPixels, type RegionFault } from './sizes.ts';
import { toKindHint } from './subject-class.ts';

export interface PhotoDependencies {
  readonly fetchImage: (url: string, options: { readonly signal: AbortSignal }) => Promise<Buffer>;
  readonly credits: CreditStore;
  readonly inspector: Pick<PhotoInspector, 'toReadable'>;
  readonly imaging: Tasks<{ preparePhoto: typeof preparePhoto }>;
  readonly limits: ImageLimits;
}

export interface PhotoCall {
  readonly caller: Caller;
  /** Reads the body. Called once there is a memory slot for it. */
  readonly readOrder: () => Promise<CutoutOrder>;
  readonly signal: AbortSignal;
  readonly refuseRegion: (fault: RegionFault) => Error;
  readonly blameFetch: (error: PackshotError, what: 'photo' | 'background') => Error;
}

export interface ReadPhoto {
  readonly order: PictureOrder;
  readonly price: Purchase['size'];
  readonly upload: Photo;
  /** Undefined if, for this order, a photo of any size is cut out whole and unscaled. */
  readonly prepared: Omit<PreparedPhoto, 'bytes'> | undefined;
  /** Bytes of the uploaded photo; kept only if its original colors are requested. */
  readonly original: Uint8Array | undefined;
}

export async function readPhoto(needs: PhotoDependencies, call: PhotoCall): Promise<ReadPhoto> {
  const { keyId, sandbox, accountId } = call.caller;
  const { source, ...asked } = await call.readOrder();
  const order = asked.size === 'auto' ? { ...asked, size: await chooseSize(needs, call.caller) } : asked;
  const price = order.size === 'preview' ? 'preview' : 'generated';
  await requireCredits(needs.credits, { keyId, sandbox, size: price, mayBeKnown: false });
  const bytes = await readSource(needs, call, source, 'photo');
  const fileName = 'url' in source ? lastOfPath(source.url) : source.fileName;
  const origin = { fileName, kindHint: toKindHint(order) };
  const original = order.ownColors ? bytes : undefined;
  // If one of these sizes is requested without a region, the photo is cut out unscaled: most photos are within the
  // size's limit, and the pictures made from larger photos are scaled down afterwards.
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

/** The largest size class that the key can pay for. */
async function chooseSize(needs: PhotoDependencies, { keyId, sandbox }: Caller): Promise<'full' | 'preview'> {
  if (sandbox) return 'full';
  const { remainingMilli } = await needs.credits.readQuota(keyId);
  return remainingMilli === null || fromMilli(remainingMilli) >= 1 ? 'full' : 'preview';
}

export async function readSource(
  { fetchImage, inspector, limits }: PhotoDependencies,
  { caller, signal, blameFetch }: PhotoCall,
  source: PictureSource,
  what: 'photo' | 'background',
): Promise<Uint8Array> {
  const blame = (error: unknown): never => {
    throw error instanceof PackshotError && error.status < 429 ? blameFetch(error, what) : error;
  };
  const bytes = 'url' in source ? await fetchImage(source.url, { signal }).catch(blame) : source.bytes;
  if (bytes.byteLength > limits.maxBytes)
    throw new PackshotError('file_too_large', `The file is larger than ${limits.maxBytes} bytes.`);
  return inspector.toReadable(bytes, { signal, urgency: 'upload', account: caller.accountId });
}
