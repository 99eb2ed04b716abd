/** The studio's door: a scene plan to pixels, the product's place in them, and natural shadows. */
export { buildSet } from './src/built-set.ts';
export { frameProduct, makeCamera } from './src/camera.ts';
export { pasteProduct } from './src/compose-product.ts';
export { look, makeSight, NOTHING } from './src/geometry-buffer.ts';
export { gradeProduct } from './src/grade-product.ts';
export { findBaseEdges } from './src/ground/base-edges.ts';
export { dimPicture } from './src/ground/dim-picture.ts';
export { type Grid, makeGrid } from './src/ground/grid.ts';
export { isCovered, makeSilhouette, type PlacedSubject, type Silhouette } from './src/ground/silhouette.ts';
export { findStandingLine, type StandingLine } from './src/ground/standing-line.ts';
export { findUnderside } from './src/ground/underside.ts';
export { VIEW_DEG } from './src/places/place-backdrop.ts';
export { placeNames } from './src/places/place-names.ts';
export { measureProductLight } from './src/product-light.ts';
export { MAX_DEPTH, type StudioProduct } from './src/product-proxy.ts';
export { measureWhite } from './src/product-white.ts';
export { readScenePlan } from './src/read-scene-plan.ts';
export { renderStudio } from './src/render-studio.ts';
export {
  aspectOf,
  type Camera,
  compositions,
  type Finish,
  type Frame,
  type Gobo,
  type GoboKind,
  gobos,
  type Material,
  materials,
  measureFrame,
  type PedestalLevel,
  type Prop,
  type ScenePlan,
  type Shape,
  type Staging,
  scenePlanSchema,
  scenePlanVersion,
  shapes,
  stagings,
} from './src/scene-plan.ts';
export { catchShadow } from './src/shadow-catcher.ts';
export { measureDepth, measureStand, stageScene } from './src/stage-scene.ts';
