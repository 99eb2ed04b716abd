/** The picture that a call returns: the stored cutout, or a picture that a child process makes from it on request. */
import { createHash } from 'node:crypto';
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import type { ProcessingDesign, ReadyDesign } from '../designs/design.ts';
import { ofAnySize } from '../designs/image-limits.ts';
import type { ImageLimits } from '../designs/read-image.ts';
import { makeEtag } from '../etag.ts';
import type { Box } from '../pixels.ts';
import type { Tasks } from '../tasks.ts';
import type { FinishedPicture, finishCutout } from './finish/finish-cutout.ts';
import type { PictureOrder } from './order.ts';
import type { PreparedPhoto } from './prepare-photo.ts';
import { fitSize, limitPixels } from './sizes.ts';
import { chooseShadow, classifySubject } from './subject-class.ts';

export interface PictureDependencies {
  readonly cutouts: Pick<CutoutMaker, 'readCutout' | 'readMatte'>;
  readonly imaging: Tasks<{ finishCutout: typeof finishCutout }>;
  readonly limits: ImageLimits;
}

interface Layout extends Omit<PreparedPhoto, 'bytes'> {
  readonly behind: Uint8Array | undefined;
  readonly original: Uint8Array | undefined;
}

/** The layout for a photo that was cut out as it was sent, neither cropped to a region nor scaled down. */
export function layPhoto(
  { image: { width, height } }: ProcessingDesign,
  order: PictureOrder,
): Omit<PreparedPhoto, 'bytes'> {
  const canvas = fitSize({ width, height }, limitPixels(order));
  return { photo: { width, height }, canvas, region: { x: 0, y: 0, ...canvas } };
}

/**
 * Identifies the picture by everything that affects its bytes. So a repeated call is recognized: the same picture is
 * charged only once an hour.
 */
export function nameOf(design: ReadyDesign, order: PictureOrder, { canvas, region, behind }: Layout): string {
  const { background, ...rest } = order;
  const below =
    background && 'color' in background
      ? background.color
      : behind && createHash('sha256').update(behind).digest('hex');
  const pose = design.product?.pose ?? null;
  return makeEtag([design.image.sha256, design.cutoutVersion, pose, canvas, region, rest, below]);
}

export async function makePicture(
  needs: PictureDependencies,
  design: ReadyDesign,
  order: PictureOrder,
  layout: Layout,
  signal: AbortSignal,
): Promise<FinishedPicture> {
  const stored = await readStored(needs, design, order, layout);
  if (stored) return stored;
  const { canvas, region, behind, original } = layout;
  const { format, channels, crop, scale, position, background, solid = false, binary = false } = order;
  const subject = classifySubject(design.product?.kind, order.subject);
  // A subject cut off by the photo's lower edge, or hanging, has no base to cast a shadow from.
  const stands = !design.subject.touchesEdges.includes('bottom') && design.product?.pose !== 'hung';
  return needs.imaging.finishCutout(
    {
      cutoutPng: await needs.cutouts.readCutout(design),
      subject: design.subject.boundingBox,
      ...{ canvas, region, format, channels, crop, scale, position, solid, binary },
      background: behind ? { bytes: behind } : background && 'color' in background ? background : undefined,
      photo: original,
      shadow: stands ? chooseShadow(order.shadow, subject) : undefined,
      limits: ofAnySize(needs.limits),
    },
    { signal, urgency: 'generated', account: design.accountId },
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
