/** Child process that decodes uploads and draws pictures. It is small and holds no model; several run in parallel. */
import { convertCutout, correctPhoto, readMask, rebuildCutout } from 'packshot-cutout/service';
import 'packshot-photos/known-loaders';
import { encodePhoto, inspectImage, readPhotoTags } from 'packshot-photos';
import { planScenes } from 'packshot-sets';
import { finishCutout } from '../dialects/finish/finish-cutout.ts';
import { preparePhoto } from '../dialects/prepare-photo.ts';
import { drawPlate, groundScene, placeInScene } from '../illustrations/draw-scene.ts';
import { drawBackdropPlate, groundOnBackdrop } from '../illustrations/ground-on-backdrop.ts';
import { judgePainting, makeScaffold, normalizePainting } from '../illustrations/painting/finish-painting.ts';
import { measurePicture } from '../listing/measure-picture.ts';
import { drawPicture } from '../rendering/draw-picture.ts';
import { drawPlain } from '../rendering/draw-plain.ts';
import { drawUncut } from '../rendering/draw-uncut.ts';
import { lookAtCutout } from '../understanding/look-at-cutout.ts';
import { serveTasks } from './serve-tasks.ts';

const tasks = {
  inspectImage,
  encodePhoto,
  readPhotoTags,
  lookAtCutout,
  planScenes,
  drawPicture,
  drawPlain,
  drawUncut,
  drawPlate,
  groundScene,
  placeInScene,
  groundOnBackdrop,
  drawBackdropPlate,
  makeScaffold,
  normalizePainting,
  judgePainting,
  convertCutout,
  correctPhoto,
  rebuildCutout,
  readMask,
  preparePhoto,
  finishCutout,
  measurePicture,
};

export type ImagingTasks = typeof tasks;

serveTasks(tasks);
