/** Draws a scene's pixels: its plates (pictures without the product), and the product composited over them. */
import { type Box, type CanvasSize, StepClock, type StepTiming } from 'packshot-pixels';
import {
  frameProduct,
  gradeProduct,
  measureProductLight,
  pasteProduct,
  renderStudio,
  type ScenePlan,
  type StudioProduct,
  stageScene,
} from 'packshot-studio';
import type { DrawnPicture } from '../rendering/draw-picture.ts';
import { type DigitalSourceType, encodePicture } from '../rendering/encode.ts';
import { readSubject } from '../rendering/read-subject.ts';
import {
  canvasSize,
  contentTypes,
  type RenderTarget,
  type RenderTargetName,
  renderTarget,
} from '../rendering/render-target.ts';
import { scaleSubject } from '../rendering/scale-subject.ts';
import { shrinkOnCanvas } from '../rendering/shrink-edge.ts';
import type { Place } from './painting/painting.ts';
import { enlarge, mixLight, readPlate } from './plate-pixels.ts';
import { renderInTime, type TracedInTime } from './render-in-time.ts';

/**
 * Longer side at which a scene's set (everything but the product) is ray traced, in pixels, before it is upscaled to
 * the canvas. Sets are smooth, and tracing takes time in proportion to the number of pixels. One core renders a set of
 * this size within half of the call's deadline. The product is not upscaled with the set, but composited at the
 * resolution of the canvas.
 */
const tracing = {
  normal: { preview: { edgePx: 512, quality: 'preview' }, generated: { edgePx: 1600, quality: 'full' } },
  draft: { preview: { edgePx: 128, quality: 'preview' }, generated: { edgePx: 256, quality: 'preview' } },
} as const;
/** `draft` is for automated tests: it traces scenes at a quarter of the normal size or less. */
export type SceneDetail = keyof typeof tracing;
/** JPEG quality of stored plates: a plate takes 0.75 MB (as a PNG: 4 MB), and loses about 1 % of its grain. */
const STORED_QUALITY = 96;

export interface ProductInScene {
  /** RGBA with straight alpha, at the photo's size. */
  readonly cutoutPng: Buffer;
  readonly boundingBox: Box;
  readonly plan: ScenePlan;
  /** Clockwise rotation of the product in degrees; default 0. */
  readonly rotateDeg?: number | undefined;
  /** Number of threads for tracing; does not affect the pixels. */
  readonly threads: number;
  readonly signal: AbortSignal;
}

/**
 * `tracedPx` and `isDraft` tell how much of the plate was traced in the time that its caller had. Plates with the same
 * `tracedPx` have the same bytes.
 */
export interface DrawnPlate extends Pick<TracedInTime<unknown>, 'tracedPx' | 'isDraft'> {
  /** An image file. */
  readonly bytes: Buffer;
  readonly timings: readonly StepTiming[];
}

interface TimedDrawing {
  /** Milliseconds from the call of the function until its result; default: as many as a finished picture takes. */
  readonly budgetMs?: number | undefined;
}

/** Fraction of a budget that is left for encoding: at 512 px, 3 to 8 % of a plate's time. */
const ENCODING_SHARE = 0.1;

const tracingDeadline = (budgetMs: number | undefined): number | undefined =>
  budgetMs === undefined ? undefined : performance.now() + (1 - ENCODING_SHARE) * budgetMs;

/** Renders the set with the product's shadow, bounced light and reflection, but not the product's pixels. */
export async function groundScene({
  size,
  detail = 'normal',
  shadowStrength = 1,
  budgetMs,
  ...scene
}: ProductInScene &
  TimedDrawing & {
    readonly size: RenderTargetName;
    /** Default: `normal`. */
    readonly detail?: SceneDetail | undefined;
    /** Strength of the product's shadow, bounced light and reflection, 0 to 1; default 1. */
    readonly shadowStrength?: number | undefined;
  }): Promise<DrawnPlate> {
  const deadlineAt = tracingDeadline(budgetMs);
  const clock = new StepClock(scene.signal);
  const { edgePx: longEdgePx, quality } = tracing[detail][size];
  const { canvas, product: largest } = await scaleProduct(scene, longEdgePx, clock);
  const traced = await renderInTime(
    { longEdgePx, deadlineAt, signal: scene.signal },
    async (edgePx, signal, isRough) => {
      const small = edgePx === longEdgePx ? canvas : canvasSize(scene.plan.ratio, edgePx);
      const product = edgePx === longEdgePx ? largest : shrinkProduct(largest, scene.plan, small);
      return renderStudio(stageScene(scene.plan), {
        ...small,
        quality: isRough ? 'rough' : quality,
        ...(shadowStrength > 0 && { product, withPlate: shadowStrength < 1 }),
        threads: scene.threads,
        signal,
      });
    },
  );
  const { picture: drawn, tracedPx, isDraft } = traced;
  const { plate, grounded, timings } = drawn;
  const picture = plate && grounded ? mixLight(plate, grounded, shadowStrength) : (grounded ?? plate!);
  const target = { ...renderTarget(size, 'jpeg'), quality: STORED_QUALITY };
  const bytes = await clock.run('encode-plate', () => encodePicture({ ...picture, channels: 3 }, target));
  return { bytes, tracedPx, isDraft, timings: [...clock.timings, ...timings] };
}

/** Renders the complete picture with the settings of previews, as input for an illustration engine. */
export async function composeScene(scene: ProductInScene, longEdgePx: number, detail: SceneDetail) {
  const { plan, threads, signal } = scene;
  const clock = new StepClock(signal);
  const { canvas, product } = await scaleProduct(scene, longEdgePx, clock);
  const isDraft = detail === 'draft';
  const traced = isDraft
    ? await scaleProduct(scene, tracing.draft.preview.edgePx, clock)
    : { canvas, product };
  const studio = { ...traced.canvas, quality: 'preview' as const, product: traced.product, threads, signal };
  const grounded = (await renderStudio(stageScene(plan), studio)).grounded!;
  const picture = isDraft ? enlarge(grounded, canvas) : grounded;
  pasteProduct(picture, product);
  return { picture, product };
}

/** Composites the product's own pixels, at canvas resolution, over a plate that already has the product's shadow. */
export async function placeInScene({
  platePicture,
  place,
  shrinkPx = 0,
  matchesLight = false,
  madeBy,
  target,
  ...scene
}: Omit<ProductInScene, 'threads'> & {
  readonly platePicture: Uint8Array;
  /** Position of the product in the plate; default: as planned. */
  readonly place: Place | undefined;
  /** Inward erosion of the product's outline, 0 to 4 px on a canvas with a longer side of 2000 px; default 0. */
  readonly shrinkPx?: number | undefined;
  /** Whether to grade the product's pixels to the set's light. Default false; if true, `place` must be undefined. */
  readonly matchesLight?: boolean | undefined;
  readonly madeBy: DigitalSourceType;
  readonly target: RenderTarget;
}): Promise<DrawnPicture> {
  const clock = new StepClock(scene.signal);
  const { canvas, product: own } = await scaleProduct(scene, target.longEdgePx, clock, place);
  const product = matchesLight
    ? await clock.run('match-light', () => matchLight(own, scene.plan, canvas))
    : own;
  const picture = enlarge(await clock.run('read-plate', () => readPlate(platePicture)), canvas);
  await clock.run('compose', () =>
    pasteProduct(picture, { ...product, image: shrinkOnCanvas(product.image, shrinkPx, target) }),
  );
  const bytes = await clock.run('encode', () =>
    encodePicture({ ...picture, channels: 3 }, target, madeBy, matchesLight),
  );
  return { bytes, contentType: contentTypes[target.format], ...canvas, warnings: [], timings: clock.timings };
}

/** Renders the set without the product. */
export async function drawPlate({
  plan,
  target,
  detail = 'normal',
  budgetMs,
  threads,
  signal,
}: Omit<ProductInScene, 'cutoutPng' | 'boundingBox'> &
  TimedDrawing & {
    readonly target: RenderTarget;
    /** Default: `normal`. */
    readonly detail?: SceneDetail | undefined;
  }): Promise<DrawnPlate> {
  const deadlineAt = tracingDeadline(budgetMs);
  const clock = new StepClock(signal);
  const { edgePx, quality } = tracing[detail][target.name];
  const traced = await renderInTime(
    { longEdgePx: edgePx, deadlineAt, signal },
    (longEdgePx, signal, isRough) =>
      renderStudio(stageScene(plan), {
        ...canvasSize(plan.ratio, longEdgePx),
        quality: isRough ? 'rough' : quality,
        threads,
        signal,
      }),
  );
  const { picture: drawn, tracedPx, isDraft } = traced;
  const picture = enlarge(drawn.plate!, canvasSize(plan.ratio, target.longEdgePx));
  // A scene in a real place shows a captured panorama behind a ray-traced ground.
  const madeBy = plan.place === undefined ? 'algorithmicMedia' : 'compositeSynthetic';
  const bytes = await clock.run('encode', () => encodePicture({ ...picture, channels: 3 }, target, madeBy));
  return { bytes, tracedPx, isDraft, timings: [...drawn.timings, ...clock.timings] };
}

async function matchLight(
  product: StudioProduct,
  plan: ScenePlan,
  canvas: CanvasSize,
): Promise<StudioProduct> {
  const scene = stageScene(plan);
  const light = await measureProductLight(scene, canvas, product);
  return { ...product, image: gradeProduct(product.image, light, scene.tone) };
}

/** The product as it is on a smaller canvas. */
function shrinkProduct({ image, lies }: StudioProduct, plan: ScenePlan, canvas: CanvasSize): StudioProduct {
  const box = frameProduct(stageScene(plan), canvas, image.width / image.height);
  return { image: scaleSubject(image, box), x: box.x, y: box.y, lies };
}

/** Scales the product to its size on the canvas, and returns it with its position. */
async function scaleProduct(
  { cutoutPng, boundingBox, rotateDeg, plan }: Omit<ProductInScene, 'threads'>,
  longEdgePx: number,
  clock: StepClock,
  place?: Place,
) {
  const canvas = canvasSize(plan.ratio, longEdgePx);
  return clock.run('scale-subject', async () => {
    const subject = await readSubject({ cutoutPng, boundingBox, rotateDeg, longEdgePx });
    const box = place
      ? toPixels(place, canvas)
      : frameProduct(stageScene(plan), canvas, subject.width / subject.height);
    return {
      canvas,
      product: { image: scaleSubject(subject, box), x: box.x, y: box.y, lies: plan.subject.lies },
    };
  });
}

const toPixels = (place: Place, canvas: CanvasSize): Box => ({
  x: Math.round(place.x * canvas.width),
  y: Math.round(place.y * canvas.height),
  width: Math.max(1, Math.round(place.width * canvas.width)),
  height: Math.max(1, Math.round(place.height * canvas.height)),
});
