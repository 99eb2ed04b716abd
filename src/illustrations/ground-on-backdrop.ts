/** Composites the product onto a picture that we did not render, with a shadow that matches the picture's light. */
import { PackshotError } from 'packshot-errors';
import { limitsOfStored, readImage } from 'packshot-photos';
import {
  type Box,
  type CanvasSize,
  type Edge,
  type RgbImage,
  StepClock,
  type Variant,
} from 'packshot-pixels';
import type { ProductPose } from 'packshot-sets';
import { catchShadow, dimPicture, makeGrid, type PlacedSubject, pasteProduct } from 'packshot-studio';
import type { Mutations } from '../recipes/mutations.ts';
import { cropBackdrop } from '../rendering/crop-backdrop.ts';
import type { DrawnPicture } from '../rendering/draw-picture.ts';
import { type DigitalSourceType, encodePicture } from '../rendering/encode.ts';
import { makeLayout, moveBox } from '../rendering/layout.ts';
import { readSubject } from '../rendering/read-subject.ts';
import { canvasSize, contentTypes, type RenderTarget } from '../rendering/render-target.ts';
import { scaleSubject } from '../rendering/scale-subject.ts';
import { shrinkOnCanvas } from '../rendering/shrink-edge.ts';

export interface GroundOnBackdrop {
  /** RGBA with straight alpha, at the photo's size. */
  readonly cutoutPng: Buffer;
  readonly boundingBox: Box;
  /** Photo edges that crop the subject. */
  readonly touchesEdges: readonly Edge[];
  /** A product that is hung casts no shadow on the ground. Default: the product stands. */
  readonly pose?: ProductPose | undefined;
  /** An image file that `inspectImage` accepted. */
  readonly backdrop: { readonly bytes: Uint8Array };
  readonly ratio: Variant;
  readonly target: RenderTarget;
  readonly layout: NonNullable<Mutations['layout']>;
  readonly shadow: NonNullable<Mutations['shadow']>;
  readonly edge: NonNullable<Mutations['edge']>;
  readonly madeBy: DigitalSourceType;
  readonly signal: AbortSignal;
}

/** Default layout: makes the product as tall as products in scenes, 0.56 of the frame. */
const STANDING = { align: 'baseline', margin: 0.14, scale: 0.82 } as const;
const SHADOW_STRENGTH = 0.85;

export async function groundOnBackdrop(request: GroundOnBackdrop): Promise<DrawnPicture> {
  const { cutoutPng, boundingBox, target, shadow, edge, signal } = request;
  const { rotate = 0 } = request.layout;
  // The photo's edge that crops a rotated product is parallel to no edge of the canvas, so it is ignored.
  const touchesEdges = rotate === 0 ? request.touchesEdges : [];
  const clock = new StepClock(signal);
  const canvas = canvasSize(request.ratio, target.longEdgePx);
  try {
    const picture = await clock.run('backdrop', async () =>
      cropBackdrop(await readBackdrop(request.backdrop.bytes), canvas),
    );
    const subject = await clock.run('scale-subject', async () => {
      const { longEdgePx } = target;
      const photo = await readSubject({ cutoutPng, boundingBox, rotateDeg: rotate, longEdgePx });
      const box = placeSubject({ ...request, boundingBox: photo, touchesEdges }, canvas);
      const image = shrinkOnCanvas(scaleSubject(photo, box), edge.shrinkPx ?? 0, target, touchesEdges);
      return { image, x: box.x, y: box.y };
    });
    const hasGround = !touchesEdges.includes('bottom') && request.pose !== 'hung';
    if (shadow.kind !== 'none' && hasGround) {
      await clock.run('shadow', () => castOn(picture, subject, shadow));
    }
    await clock.run('compose', () => pasteProduct(picture, subject));
    const bytes = await clock.run('encode', () =>
      encodePicture({ ...picture, channels: 3 }, target, request.madeBy),
    );
    return {
      bytes,
      contentType: contentTypes[target.format],
      ...canvas,
      warnings: [],
      timings: clock.timings,
    };
  } catch (cause) {
    if (cause instanceof PackshotError || signal.aborted) {
      throw cause;
    }
    throw new PackshotError('internal', 'The product could not be set on its backdrop.', { cause });
  }
}

/** Renders the backdrop alone, not cropped and never upscaled. */
export async function drawBackdropPlate({
  source,
  target,
}: {
  readonly source: Uint8Array;
  readonly target: RenderTarget;
}): Promise<Buffer> {
  const photo = await readBackdrop(source);
  const canvas = fitInside(photo, target.longEdgePx);
  return encodePicture({ ...(await cropBackdrop(photo, canvas)), channels: 3 }, target);
}

function fitInside({ width, height }: CanvasSize, longEdgePx: number): CanvasSize {
  const scale = Math.min(1, longEdgePx / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Reads the picture, and composites its transparent pixels over white, as on a web page. */
async function readBackdrop(bytes: Uint8Array): Promise<RgbImage> {
  const { width, height, data, alpha } = await readImage(bytes, limitsOfStored, 'keep');
  for (let i = 0; alpha !== null && i < alpha.length; i++) {
    for (let at = 3 * i; at < 3 * i + 3; at++) {
      data[at] = Math.round((data[at]! * alpha[i]! + 255 * (255 - alpha[i]!)) / 255);
    }
  }
  return { width, height, data };
}

type PlacedOnBackdrop = Pick<GroundOnBackdrop, 'touchesEdges' | 'layout'> & {
  readonly boundingBox: CanvasSize;
};

/**
 * Places the product as in a scene: the shorter the product, the higher in the picture it stands. Centered products,
 * and those cropped at the top or bottom, stay where `makeLayout` places them. A position from the caller overrides
 * both.
 */
function placeSubject({ boundingBox, touchesEdges, layout }: PlacedOnBackdrop, canvas: CanvasSize): Box {
  const align = layout.align ?? STANDING.align;
  const { box, footY } = makeLayout({
    boundingBox,
    touchesEdges,
    layout: { align, margin: layout.margin ?? STANDING.margin, scale: layout.scale ?? STANDING.scale },
    canvas,
  });
  if (align === 'center' || touchesEdges.includes('bottom') || touchesEdges.includes('top')) {
    return moveBox(box, layout, canvas);
  }
  const above = Math.min(0.31, Math.max(0.17, 0.45 - box.height / (2 * canvas.height)));
  const y = Math.round(canvas.height * (1 - above)) - box.height;
  // A product that is too tall for this position stands lower, on the foot line of the layout.
  return moveBox({ ...box, y: y < 0 ? footY - box.height : y }, layout, canvas);
}

function castOn(
  picture: RgbImage,
  subject: PlacedSubject,
  { kind, strength, softness, direction }: GroundOnBackdrop['shadow'],
): void {
  const grid = makeGrid(picture);
  const lightDeg = direction === undefined ? findAzimuth(picture) : direction - 180;
  const azimuthDeg = kind === 'contact' ? undefined : lightDeg;
  const kept = catchShadow({
    canvas: picture,
    grid,
    subject,
    azimuthDeg,
    strength: strength ?? SHADOW_STRENGTH,
    softness,
  });
  dimPicture(picture, kept, grid);
}

/** Minimum relative brightness difference between left and right that shows from which side the light comes. */
const MIN_FALLOFF = 0.06;
/** A brightness difference of this size indicates a window on the brighter side. */
const STRONG_FALLOFF = 0.5;
const USUAL_AZIMUTH_DEG = -35;

/** Estimates the light's azimuth in degrees (negative: left) from the horizontal falloff in the lower third. */
function findAzimuth({ width, height, data }: RgbImage): number {
  let sum = 0;
  let slope = 0;
  for (let y = Math.floor((2 * height) / 3); y < height; y += 3) {
    for (let x = 0; x < width; x += 3) {
      const at = (y * width + x) * 3;
      // Squaring approximates linear light; only the ratio between the two sides matters.
      const light = data[at]! ** 2 * 0.21 + data[at + 1]! ** 2 * 0.72 + data[at + 2]! ** 2 * 0.07;
      sum += light;
      slope += light * ((2 * x + 1) / width - 1);
    }
  }
  // For light that falls off linearly across the frame, `falloff` is the difference between the two ends, divided by
  // the mean.
  const falloff = (6 * slope) / Math.max(1, sum);
  if (Math.abs(falloff) < MIN_FALLOFF) {
    return USUAL_AZIMUTH_DEG;
  }
  return Math.sign(falloff) * (35 + 25 * Math.min(1, Math.abs(falloff) / STRONG_FALLOFF));
}
