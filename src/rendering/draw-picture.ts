/** Draws a picture from a cutout and a plan, and encodes it. */

import { PackshotError } from 'packshot-errors';
import {
  type Box,
  type CanvasSize,
  type Edge,
  encodeSrgb255,
  parseHexColor,
  type RgbaImage,
  StepClock,
  type StepTiming,
} from 'packshot-pixels';
import type { ProductPose } from 'packshot-sets';
import { makeGrid } from 'packshot-studio';
import type { Backdrop } from '../recipes/catalogue.ts';
import type { PicturePlan } from '../recipes/resolve-recipe.ts';
import { applyShadow, encodeField, makeBackdrop, paintField } from './backdrop.ts';
import { composeOver, composeOverShadow } from './compose.ts';
import { encodePicture, encodeWithin, type Picture } from './encode.ts';
import { encodeFlatJpeg } from './jpeg/encode-flat-jpeg.ts';
import { tagJpeg } from './jpeg/tag-jpeg.ts';
import { baselineOf, makeLayout } from './layout.ts';
import { makeShadow, type ShadowScene } from './plain-shadow.ts';
import { readSubject } from './read-subject.ts';
import { addReflection } from './reflection.ts';
import { canvasSize, contentTypes, type RenderTarget } from './render-target.ts';
import { scaleSubject } from './scale-subject.ts';
import { shrinkOnCanvas } from './shrink-edge.ts';

export interface DrawPicture {
  /** RGBA with straight alpha, at the photo's size. */
  readonly cutoutPng: Buffer;
  /** Bounding box of the subject, in pixels of the cutout. */
  readonly boundingBox: Box;
  /** Photo edges that crop the subject. */
  readonly touchesEdges: readonly Edge[];
  readonly plan: PicturePlan;
  /**
   * A product that lies touches the ground along its lower outline; one that is hung has no ground. Default: the product
   * stands.
   */
  readonly pose?: ProductPose | undefined;
  readonly target: RenderTarget;
  readonly signal: AbortSignal;
}

export interface RenderWarning {
  readonly code:
    | 'transparency_flattened'
    | 'upscaled'
    | 'illustration_fallback'
    | 'adapted_to_look'
    | 'draft';
  readonly detail: string;
}

export interface DrawnPicture {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly warnings: readonly RenderWarning[];
  readonly timings: readonly StepTiming[];
  /** Longer side at which the scene was traced for want of time, in pixels; undefined for a finished picture. */
  readonly draftPx?: number | undefined;
}

/** A draft has other bytes than the finished picture, and so another ETag. */
export const isDraft = ({ draftPx }: Pick<DrawnPicture, 'draftPx'>): boolean => draftPx !== undefined;

/** Enlargement beyond this factor is visible, so the picture gets a warning. */
const MAX_SILENT_SCALE = 1.5;

export const WHITE = '#FFFFFF';

/** Whether the picture is transparent in a format that is not. */
export const isFlattened = ({ backdrop }: PicturePlan, { format }: RenderTarget): boolean =>
  backdrop.kind === 'transparent' && format === 'jpeg';

export async function drawPicture(request: DrawPicture): Promise<DrawnPicture> {
  const { plan, target, boundingBox, touchesEdges } = request;
  const clock = new StepClock(request.signal);
  const canvas = canvasSize(plan.variant, target.longEdgePx);
  const { rotate = 0 } = plan.layout;
  // After a rotation, no edge of the canvas is parallel to the edge at which the photo crops the product.
  const cutEdges = rotate === 0 ? touchesEdges : [];
  const flattened = isFlattened(plan, target);
  const backdrop: Backdrop = flattened ? { kind: 'solid', color: WHITE } : plan.backdrop;

  try {
    const { scaled, layout } = await clock.run('scale-subject', async () => {
      const { cutoutPng } = request;
      const { longEdgePx } = target;
      const photo = await readSubject({ cutoutPng, boundingBox, rotateDeg: rotate, longEdgePx });
      const layout = makeLayout({ boundingBox: photo, touchesEdges: cutEdges, layout: plan.layout, canvas });
      return { layout, scaled: scaleSubject(photo, layout.box) };
    });
    const { shrinkPx } = plan.edge;
    const subject =
      shrinkPx > 0
        ? await clock.run('shrink-edge', () => shrinkOnCanvas(scaled, shrinkPx, target, cutEdges))
        : scaled;
    const scene: ShadowScene = {
      canvas,
      subject: { image: subject, x: layout.box.x, y: layout.box.y, lies: request.pose === 'lying' },
      plan,
      groundInPicture: !cutEdges.includes('bottom') && (request.pose !== 'hung' || rotate !== 0),
    };
    const picture =
      backdrop.kind === 'transparent'
        ? await drawTransparent(scene, clock)
        : await drawOpaque(scene, backdrop, clock);
    await clock.run('compose', () =>
      picture.channels === 4
        ? composeOverShadow(picture, subject, layout.box)
        : composeOver(picture, subject, layout.box),
    );
    const plain = backdrop.kind === 'solid' && plan.shadow.kind === 'none' && !target.sample && !target.logo;
    const flatColor = plain ? backdrop.color : undefined;
    const bytes = await clock.run('encode', () => {
      if (target.format !== 'jpeg' || flatColor === undefined || picture.channels !== 3)
        return encodePicture(picture, target);
      const flat = markFlat(canvas, subject, layout.box);
      const color = parseHexColor(flatColor);
      return encodeWithin(target, (quality) => {
        const jpeg = encodeFlatJpeg({ picture, flat, color, quality });
        return target.tags ? tagJpeg(jpeg, canvas, target.tags) : jpeg;
      });
    });
    return {
      bytes,
      contentType: contentTypes[target.format],
      ...canvas,
      warnings: collectWarnings(flattened, layout.scale),
      timings: clock.timings,
    };
  } catch (cause) {
    if (cause instanceof PackshotError || request.signal.aborted) throw cause;
    throw new PackshotError('internal', 'The picture could not be drawn.', { cause });
  }
}

/** The backdrop with the subject's shadow and reflection, without the subject. */
async function drawOpaque(
  scene: ShadowScene,
  backdrop: Exclude<Backdrop, { kind: 'transparent' }>,
  clock: StepClock,
): Promise<Picture> {
  const { canvas, subject, plan } = scene;
  if (backdrop.kind === 'solid' && plan.shadow.kind === 'none') {
    const data = await clock.run('backdrop', () => fillSolid(backdrop.color, canvas));
    return { ...canvas, channels: 3, data };
  }
  const grid = makeGrid(canvas);
  const footY = scene.groundInPicture ? subject.y + subject.image.height : baselineOf(canvas);
  const field = await clock.run('backdrop', () => makeBackdrop(backdrop, grid, footY));
  const shadow = await clock.run('shadow', () => makeShadow(scene, grid));
  const data = await clock.run('backdrop', () => {
    if (shadow !== undefined) applyShadow(field, shadow);
    if (backdrop.kind === 'sweep' && backdrop.gloss > 0 && scene.groundInPicture) {
      addReflection(field, { subject, grid, gloss: backdrop.gloss });
    }
    encodeField(field);
    return paintField(field, grid, { canvas, channels: 3, grain: backdrop.kind !== 'solid' });
  });
  return { ...canvas, channels: 3, data };
}

/** The subject's shadow on a transparent canvas. */
async function drawTransparent(scene: ShadowScene, clock: StepClock): Promise<Picture> {
  const { canvas } = scene;
  const data = new Uint8Array(canvas.width * canvas.height * 4);
  const grid = makeGrid(canvas);
  const kept = await clock.run('shadow', () => makeShadow(scene, grid));
  if (kept !== undefined) {
    const dark = kept.map((share) => 255 - encodeSrgb255(share));
    const alpha = paintField(dark, grid, { canvas, channels: 1, grain: false });
    for (let i = 0; i < alpha.length; i++) data[4 * i + 3] = alpha[i]!;
  }
  return { ...canvas, channels: 4, data };
}

function fillSolid(color: string, { width, height }: CanvasSize): Uint8Array {
  const [r, g, b] = parseHexColor(color);
  if (r === g && g === b) return new Uint8Array(width * height * 3).fill(r);
  // `Buffer.alloc` repeats the pattern in native code, which is fast.
  return Buffer.alloc(width * height * 3, Buffer.from([r, g, b]));
}

/** Per pixel: 1 where the subject is fully transparent, otherwise 0. */
function markFlat({ width, height }: CanvasSize, subject: RgbaImage, box: Box): Uint8Array {
  const flat = new Uint8Array(width * height).fill(1);
  for (let y = 0; y < box.height; y++) {
    const row = (box.y + y) * width + box.x;
    for (let x = 0; x < box.width; x++) {
      if (subject.data[4 * (y * box.width + x) + 3] !== 0) flat[row + x] = 0;
    }
  }
  return flat;
}

export function collectWarnings(flattened: boolean, scale: number): RenderWarning[] {
  const white = 'JPEG has no alpha: the transparent backdrop became white. Use WebP, PNG or AVIF.';
  const large = `The product was enlarged ${scale.toFixed(1)} times; a larger photo gives a sharper picture.`;
  return [
    ...(flattened ? [{ code: 'transparency_flattened', detail: white } as const] : []),
    ...(scale > MAX_SILENT_SCALE ? [{ code: 'upscaled', detail: large } as const] : []),
  ];
}
