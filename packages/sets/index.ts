/** The sets' door: a product's measurements and a prompt's words to scene plans. */
export { moods, parts } from './src/color-wish.ts';
export { conceptOf, dictionary, shapesOf, tintColor } from './src/dictionary.ts';
export { flushEdge, maxTop, type PlacedFeatures, placeSubject, usualLens } from './src/fit-camera.ts';
export { fitFile } from './src/fit-file.ts';
export { titlePlan } from './src/name-color.ts';
export { colorDistance, oklchFromHex, oklchFromOklab } from './src/oklch.ts';
export { openSets, readSetFile, type SceneFiles, SetFileError } from './src/open-sets.ts';
export { planScenes, type ScenePlans } from './src/plan-scenes.ts';
export type { KindWord } from './src/product/kind-words.ts';
export { measureSolidity } from './src/product/mask.ts';
export { type ProductKindName, productKinds } from './src/product/product-kinds.ts';
export { usualLength } from './src/product/real-lengths.ts';
export { stageBySilhouette } from './src/product/silhouette-rules.ts';
export { findStance, poseOf } from './src/product/stance.ts';
export type { ProductFacts, ProductPose } from './src/product-facts.ts';
export { isSkin, measureProduct, type ProductFeatures } from './src/product-features.ts';
export { detectKindByRules, type ProductEvidence, type ProductKind } from './src/product-kind.ts';
export { suitAs } from './src/product-suit.ts';
export { readUnits } from './src/read-units.ts';
export { findStated, readWants, type Spoken, unusedReasons } from './src/read-wants.ts';
export type { WordReport } from './src/report-words.ts';
export {
  hasScenes,
  listPresetSettings,
  listPresetStyles,
  sceneStyles,
  settings,
} from './src/scene-styles.ts';
export { type SceneFile, type Suit, sceneFileSchema } from './src/set-file.ts';
