/** Child process that decodes uploads and draws pictures: no model, small, several side by side. */
import { encodeCutoutAsWebp } from '../cutout/encode-webp.ts';
import { type ImageLimits, inspectImage } from '../designs/read-image.ts';
import { type DrawPicture, drawPicture } from '../rendering/draw-picture.ts';
import { serveTasks } from './serve-tasks.ts';

/** Cancelling kills the process, so nothing in here ever aborts. */
const signal = new AbortController().signal;

const tasks = {
  inspectImage: ({ bytes, limits }: { bytes: Uint8Array; limits: ImageLimits }) =>
    inspectImage(bytes, limits),
  encodeWebp: ({ cutoutPng }: { cutoutPng: Uint8Array }) => encodeCutoutAsWebp(cutoutPng),
  drawPicture: (input: Omit<DrawPicture, 'signal'>) => drawPicture({ ...input, signal }),
};

export type ImagingTasks = typeof tasks;

serveTasks(tasks);
