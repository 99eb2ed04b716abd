/** Child process that decodes uploads and draws pictures: no model, small, several side by side. */
import { encodeCutoutAsWebp } from '../cutout/steps/encode-webp.ts';
import { type ImageLimits, inspectImage } from '../designs/read-image.ts';
import { type FinishCutout, finishCutout } from '../dialects/finish/finish-cutout.ts';
import { type PreparePhoto, preparePhoto } from '../dialects/prepare-photo.ts';
import { drawPlate, groundScene, placeInScene } from '../illustrations/draw-scene.ts';
import { drawBackdropPlate, groundOnBackdrop } from '../illustrations/ground-on-backdrop.ts';
import { judgePainting, makeScaffold, normalisePainting } from '../illustrations/painting/finish-painting.ts';
import type { Box } from '../pixels.ts';
import type { PicturePlan } from '../recipes/resolve-recipe.ts';
import { type DrawPicture, drawPicture } from '../rendering/draw-picture.ts';
import { drawPlain } from '../rendering/draw-plain.ts';
import type { RenderTarget } from '../rendering/render-target.ts';
import { lookAtCutout } from '../scenes/look-at-cutout.ts';
import { planWithReport, type ReportedRequest } from '../scenes/report-words.ts';
import type { ScenePlan } from '../studio/scene-plan.ts';
import { serveTasks } from './serve-tasks.ts';

/** Cancelling kills the process, so nothing in here ever aborts. */
const signal = new AbortController().signal;

/** What a task is sent of a function's input. */
type Unaborted<Work extends (input: never) => unknown> = Omit<Parameters<Work>[0], 'signal'>;

const tasks = {
  inspectImage: ({ bytes, limits }: { bytes: Uint8Array; limits: ImageLimits }) =>
    inspectImage(bytes, limits),
  encodeWebp: ({ cutoutPng }: { cutoutPng: Uint8Array }) => encodeCutoutAsWebp(cutoutPng),
  preparePhoto: (photo: PreparePhoto) => preparePhoto(photo),
  finishCutout: (order: FinishCutout) => finishCutout(order),
  planScenes: async (request: ReportedRequest) => planWithReport(request),
  lookAtCutout: ({ cutoutPng, box }: { cutoutPng: Uint8Array; box: Box }) => lookAtCutout(cutoutPng, box),
  drawPlate: (input: Unaborted<typeof drawPlate>) => drawPlate({ ...input, signal }),
  groundScene: (input: Unaborted<typeof groundScene>) => groundScene({ ...input, signal }),
  placeInScene: (input: Unaborted<typeof placeInScene>) => placeInScene({ ...input, signal }),
  makeScaffold: (input: Unaborted<typeof makeScaffold>) => makeScaffold({ ...input, signal }),
  normalisePainting: ({ bytes, plan }: { bytes: Uint8Array; plan: ScenePlan }) =>
    normalisePainting(bytes, plan),
  judgePainting: (input: Parameters<typeof judgePainting>[0]) => judgePainting(input),
  groundOnBackdrop: (input: Unaborted<typeof groundOnBackdrop>) => groundOnBackdrop({ ...input, signal }),
  drawBackdropPlate: ({ source, target }: { source: Uint8Array; target: RenderTarget }) =>
    drawBackdropPlate(source, undefined, target),
  drawPlain: ({ plan, target }: { plan: PicturePlan; target: RenderTarget }) => drawPlain(plan, target),
  drawPicture: (input: Omit<DrawPicture, 'signal'>) => drawPicture({ ...input, signal }),
};

export type ImagingTasks = typeof tasks;

serveTasks(tasks);
