/**
 * The photo of a call: reads its order, checks what the key can pay for, and crops the photo to the requested
 * region.
 */

import { PackshotError } from 'packshot-errors';
import { type ImageLimits, ofAnySize } from 'packshot-photos';
import type { Caller } from '../accounts/authenticate.ts';
import { type Purchase, prices, requireCredits } from '../accounts/charge-render.ts';
import { type CreditStore, fromMilli } from '../accounts/credit-store.ts';
import { lastOfPath } from '../designs/check-url.ts';
import type { Photo } from '../designs/create-design.ts';
import type { PhotoInspector } from '../designs/inspect-photo.ts';
import type { Tasks } from '../tasks.ts';
import { digestOf, nameOf } from './make-picture.ts';
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
  /** Waits for the places of a picture of this many pixels; the call holds them until its photo is stored. */
  readonly takePlaces: (pixels: number) => Promise<void>;
  readonly refuseRegion: (fault: RegionFault) => Error;
  readonly blameFetch: (error: PackshotError, what: 'photo' | 'background') => Error;
}

export interface ReadPhoto {
  readonly order: PictureOrder;
  readonly price: Purchase['size'];
  /** Of the photo's bytes. */
  readonly digest: string;
  readonly upload: Photo;
  /** Undefined if, for this order, a photo of any size is cut out whole and unscaled. */
  readonly prepared: Omit<PreparedPhoto, 'bytes'> | undefined;
}

export async function readPhoto(needs: PhotoDependencies, call: PhotoCall): Promise<ReadPhoto> {
  const { keyId, sandbox, accountId } = call.caller;
  const { source, ...asked } = await call.readOrder();
  const priceOf = ({ size }: PictureOrder): ReadPhoto['price'] =>
    size === 'preview' ? 'preview' : 'generated';
  // `auto` may become a preview, which costs less.
  const least = asked.size === 'auto' ? 'preview' : priceOf(asked);
  await requireCredits(needs.credits, { keyId, sandbox, size: least, mayBeKnown: false });
  const bytes = await readSource(needs, call, source, 'photo');
  const digest = digestOf(bytes);
  const order = asked.size === 'auto' ? await chooseSize(needs, call, asked, digest) : asked;
  const price = priceOf(order);
  const fileName = 'url' in source ? lastOfPath(source.url) : source.fileName;
  // These services cut out every photo, whatever its own transparency.
  const { alpha = 'ignore', cutout } = order;
  const origin = { fileName, kindHint: toKindHint(order), alpha, cutout };
  // If one of these sizes is requested without a region, the photo is cut out unscaled: most photos are within the
  // size's limit, and the pictures made from larger photos are scaled down afterwards.
  const isWhole = !order.roi && ['full', '36MP', '50MP', 'photo'].includes(order.size);
  const facts = { order, price, digest };
  if (isWhole) return { ...facts, upload: { bytes, ...origin }, prepared: undefined };
  const limits = ofAnySize(needs.limits);
  const mostPixels = limitPixels(order);
  await call.takePlaces(Math.min(mostPixels, limits.maxPixels));
  const prepared = await needs.imaging.preparePhoto(
    { bytes, limits, roi: order.roi, mostPixels },
    { signal: call.signal, urgency: 'upload', account: accountId },
  );
  if ('fault' in prepared) throw call.refuseRegion(prepared.fault);
  const { bytes: part, ...layout } = prepared;
  return { ...facts, upload: { bytes: part ?? bytes, ...origin }, prepared: layout };
}

/** Replaces `auto` by the largest size class that the key can pay for, or has paid for within the last hour. */
async function chooseSize(
  needs: PhotoDependencies,
  call: PhotoCall,
  asked: PictureOrder,
  digest: string,
): Promise<PictureOrder> {
  const full = { ...asked, size: 'full' as const };
  const { keyId, sandbox } = call.caller;
  const { id, remainingMilli } = await needs.credits.readQuota(keyId);
  if (sandbox || remainingMilli === null || fromMilli(remainingMilli) >= prices.generated) return full;
  // What was paid for depends on the bytes of the background, so one that is a URL is fetched now.
  const behind = await readBackground(needs, call, full);
  const background = behind ? { picture: { bytes: behind, fileName: undefined } } : asked.background;
  const isPaid = await needs.credits.isPaid(id, nameOf(digest, { ...full, background }));
  return { ...asked, background, size: isPaid ? 'full' : 'preview' };
}

/** Undefined if the background is no picture. */
export async function readBackground(
  needs: PhotoDependencies,
  call: Omit<PhotoCall, 'takePlaces'>,
  { background }: PictureOrder,
): Promise<Uint8Array | undefined> {
  const picture = background && 'picture' in background ? background.picture : undefined;
  return picture && !('key' in picture) ? readSource(needs, call, picture, 'background') : undefined;
}

async function readSource(
  { fetchImage, inspector, limits }: PhotoDependencies,
  { caller, signal, blameFetch }: Pick<PhotoCall, 'caller' | 'signal' | 'blameFetch'>,
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
