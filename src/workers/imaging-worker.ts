/** Child process that decodes uploads and draws pictures: no model, small, several side by side. */
import { encodeCutoutAsWebp } from '../cutout/steps/encode-webp.ts';
import { type ImageLimits, inspectImage } from '../designs/read-image.ts';
import type { Box } from '../pixels.ts';
import { type DrawPicture, drawPicture } from '../rendering/draw-picture.ts';
import type { RenderTarget } from '../rendering/render-target.ts';
import { type DrawScene, drawPlate, drawScene, measureCutout } from '../scenes/draw-scene.ts';
import type { ScenePlan } from '../scenes/scene-plan.ts';
import { serveTasks } from './serve-tasks.ts';

/** Cancelling kills the process, so nothing in here ever aborts. */
const signal = new AbortController().signal;

const tasks = {
  inspectImage: ({ bytes, limits }: { bytes: Uint8Array; limits: ImageLimits }) =>
    inspectImage(bytes, limits),
  encodeWebp: ({ cutoutPng }: { cutoutPng: Uint8Array }) => encodeCutoutAsWebp(cutoutPng),
  measureCutout: ({ cutoutPng, box }: { cutoutPng: Uint8Array; box: Box }) => measureCutout(cutoutPng, box),
  drawPlate: ({ plan, target }: { plan: ScenePlan; target: RenderTarget }) => drawPlate(plan, target, signal),
  drawScene: (input: Omit<DrawScene, 'signal'>) => drawScene({ ...input, signal }),
  drawPicture: (input: Omit<DrawPicture, 'signal'>) => drawPicture({ ...input, signal }),
};

export type ImagingTasks = typeof tasks;

serveTasks(tasks);
