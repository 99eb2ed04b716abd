/** What a service needs of the cutouts besides `openCutter`: cuts in a child process, corrections, masks, other engines. */
export { type CorrectedCutout, correctPhoto, rebuildCutout } from './src/correct-photo.ts';
export type { Correction } from './src/correction.ts';
export type { Cut, CutExtent, FreshCutout } from './src/cut.ts';
export { type CutoutWish, cutoutWishes, wishesOf } from './src/cut-photo.ts';
export { openRemovalEngine, type RemovalEngineConfig } from './src/engines/registry.ts';
export type { CutoutMode } from './src/passes/choose-passes.ts';
export type { MarkedPass } from './src/passes/marked-pass.ts';
export { createPhotoCutter, type PhotoCutter } from './src/photo-cutter.ts';
export { readMask } from './src/read-mask.ts';
export { convertCutout } from './src/steps/convert-cutout.ts';
export {
  type DoubtfulPlace,
  type PhotoKind,
  type PhotoKindName,
  photoKindNames,
  type SubjectFacts,
  type SubjectIssue,
} from './src/subject.ts';
