/** The picture that a call returns: the stored cutout, or a picture that a child process makes from it on request. */
import { createHash } from 'node:crypto';
import { type ImageLimits, ofAnySize } from 'packshot-photos';
import type { Box } from 'packshot-pixels';
import type { CutoutMaker } from '../cutouts/make-cutout.ts';
import { type Design, designBlobs, type ReadyDesign } from '../designs/design.ts';
import { designNotFound } from '../designs/design-store.ts';
import { makeEtag } from '../etag.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Tasks } from '../tasks.ts';
import type { FinishedPicture, finishCutout } from './finish/finish-cutout.ts';
import type { KeptFile, PictureOrder } from './order.ts';
import type { PreparedPhoto } from './prepare-photo.ts';
import { fitSize, limitPixels } from './sizes.ts';
import { chooseShadow, classifySubject } from './subject-class.ts';

export interface PictureDependencies {
  readonly cutouts: Pick<CutoutMaker, 'readCutout' | 'readMatte'>;
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly imaging: Tasks<{ finishCutout: typeof finishCutout }>;
  readonly limits: ImageLimits;
}

type Layout = Omit<PreparedPhoto, 'bytes'>;

/** The layout for a photo that was cut out as it was sent, neither cropped to a region nor scaled down. */
export function layPhoto({ image: { width, height } }: Pick<Design, 'image'>, order: PictureOrder): Layout {
  const canvas = fitSize({ width, height }, limitPixels(order));
  return { photo: { width, height }, canvas, region: { x: 0, y: 0, ...canvas } };
}

/** Identifies what was ordered, so that a repeated call is recognized: the same picture is charged only once an hour. */
export function nameOf(photo: string, { background, masks, ...order }: PictureOrder): string {
  const drawn = masks && [masks.keep, masks.remove].map((mask) => mask && digestOf(mask));
  return makeEtag([photo, order, background && nameBackground(background), ...(drawn ? [drawn] : [])]);
}

function nameBackground(background: NonNullable<PictureOrder['background']>) {
  if ('color' in background) return background.color;
  const { picture } = background;
  return 'url' in picture ? picture.url : digestOf('key' in picture ? picture : picture.bytes);
}

export const digestOf = (file: Uint8Array | KeptFile): string =>
  'digest' in file ? file.digest : createHash('sha256').update(file).digest('hex');

export async function makePicture(
  needs: PictureDependencies,
  design: ReadyDesign,
  order: PictureOrder,
  layout: Layout,
  signal: AbortSignal,
): Promise<FinishedPicture> {
  const stored = await readStored(needs, design, order, layout);
  if (stored) return stored;
  const { canvas, region } = layout;
  const { background, masks, solid = false, binary = false } = order;
  const { format, channels, crop, scale, position, frame, quality, dpi } = order;
  const subject = classifySubject(design.product?.kind, order.subject);
  // A subject cut off by the photo's lower edge, or hanging, has no base to cast a shadow from.
  const stands = !design.subject.touchesEdges.includes('bottom') && design.product?.pose !== 'hung';
  const read = async (file: Uint8Array | KeptFile | undefined): Promise<Uint8Array | undefined> =>
    file && 'key' in file ? readBlob(needs, file.key) : file;
  return needs.imaging.finishCutout(
    {
      cutoutPng: await needs.cutouts.readCutout(design),
      subject: design.subject.boundingBox,
      ...{ canvas, region, format, channels, crop, scale, position, frame, quality, dpi, solid, binary },
      background:
        background && 'picture' in background && 'key' in background.picture
          ? { bytes: await readBlob(needs, background.picture.key) }
          : ofColor(background),
      // A photo whose own colors or masks are requested is cut out whole, so its stored file is the photo as it came.
      photo: order.ownColors || masks ? await readBlob(needs, designBlobs.source(design.id)) : undefined,
      masks: masks && { keep: await read(masks.keep), remove: await read(masks.remove) },
      shadow: stands ? chooseShadow(order.shadow, subject) : undefined,
      limits: ofAnySize(needs.limits),
    },
    { signal, urgency: 'generated', account: design.accountId },
  );
}

const ofColor = (background: PictureOrder['background']) =>
  background && 'color' in background ? background : undefined;

async function readBlob({ blobs }: PictureDependencies, key: string): Promise<Uint8Array> {
  const bytes = await blobs.get(key);
  // Deleted with the design, while the picture was made.
  if (!bytes) throw designNotFound();
  return bytes;
}

/** The picture of a photo without a subject: nothing but the requested background. */
export async function makeEmptyPicture(
  { imaging, limits }: PictureDependencies,
  { background, ...order }: PictureOrder,
  { canvas }: Pick<Layout, 'canvas'>,
  options: { readonly signal: AbortSignal; readonly account: string },
): Promise<FinishedPicture> {
  const nowhere = { x: 0, y: 0, width: 1, height: 1 };
  return imaging.finishCutout(
    {
      ...{ cutoutPng: undefined, subject: nowhere, region: nowhere, canvas },
      ...{ photo: undefined, masks: undefined },
      ...{ format: order.format, channels: order.channels, solid: false, binary: false, shadow: undefined },
      background: ofColor(background),
      limits: ofAnySize(limits),
    },
    { ...options, urgency: 'generated' },
  );
}

/** Returns the stored cutout unchanged if nothing else was requested. */
async function readStored(
  { cutouts }: PictureDependencies,
  design: ReadyDesign,
  order: PictureOrder,
  { canvas, region }: Layout,
): Promise<FinishedPicture | undefined> {
  const { width, height } = design.image;
  const isWhole =
    width === canvas.width && height === canvas.height && isSame(region, { x: 0, y: 0, ...canvas });
  const isChanged =
    order.crop ??
    order.scale ??
    order.position ??
    order.frame ??
    order.background ??
    order.shadow ??
    order.masks ??
    (order.ownColors || undefined) ??
    order.dpi;
  if (!isWhole || isChanged !== undefined || order.solid || order.binary) return undefined;
  const isMatte = order.channels === 'alpha';
  const isPng =
    order.format === 'png' || (order.format === 'auto' && (isMatte || design.subject.coverage < 1));
  if (!isPng) return undefined;
  const bytes = isMatte ? await cutouts.readMatte(design) : await cutouts.readCutout(design);
  return { bytes, contentType: 'image/png', width, height, foreground: design.subject.boundingBox };
}

const isSame = (one: Box, other: Box): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
