/** Scores a scene against the requests of its prompt. */
import { hueDistance, type Oklch, oklchFromHex } from '../../src/scenes/oklch.ts';
import type { PromptCase } from '../../src/scenes/prompt/prompt-cases.ts';
import { compositionParts } from '../../src/scenes/sets/compositions.ts';
import type { ScenePlan } from '../../src/studio/scene-plan.ts';
import type { Findings } from './criteria.ts';

/** Minimum chroma of a wall whose hue is checked. */
const MIN_CHROMA = 0.04;

/** `wall` is the wall's color as measured on the plate; undefined if no wall is visible. */
export function scorePrompt(asked: PromptCase, plan: ScenePlan, wall: Oklch | undefined): Findings {
  const [, , pedestal, accent] = plan.palette.map(oklchFromHex);
  const paints = [
    asked.pedestalHue === undefined ? [] : hueDistance(pedestal!.h, asked.pedestalHue),
    asked.accentHue === undefined ? [] : hueDistance(accent!.h, asked.accentHue),
  ].flat();
  const parts = listParts(asked, plan);
  return {
    ...(asked.material === undefined ? {} : { promptMaterial: hasMaterial(asked.material, plan) ? 1 : 0 }),
    ...(asked.wallHue === undefined || !wall || wall.c <= MIN_CHROMA
      ? {}
      : { promptHue: hueDistance(wall.h, asked.wallHue) }),
    ...(asked.isDark && wall ? { promptDark: wall.l } : {}),
    ...(paints.length === 0 ? {} : { promptPaint: Math.max(...paints) }),
    ...(parts.length === 0 ? {} : { promptParts: parts.filter(Boolean).length / parts.length }),
  };
}

function hasMaterial(material: PromptCase['material'], plan: ScenePlan): boolean {
  const { surface, backdrop, pedestal, backProps, sideProps } = plan;
  const finishes = [surface, backdrop, ...(pedestal?.levels ?? []), ...backProps, ...sideProps];
  return finishes.some((finish) => finish.material === material);
}

/**
 * For each requested thing, whether it is present; for each unwanted shape, whether it is absent. A composition counts
 * only if it suits the product's staging.
 */
function listParts(asked: PromptCase, plan: ScenePlan): boolean[] {
  const shapes = [...plan.backProps, ...plan.sideProps].map(({ shape }) => shape);
  const [red, , blue] = plan.key.color;
  const { composition, gobo, shape, absent = [], light } = asked;
  const isFit = composition && compositionParts[composition].stagings.includes(plan.staging);
  return [
    isFit ? plan.composition === composition : [],
    gobo ? plan.gobo.kind === gobo : [],
    shape ? shapes.includes(shape) : [],
    light ? (light === 'warm' ? red > blue : blue > red) : [],
    absent.map((unwanted) => !shapes.includes(unwanted)),
  ].flat();
}
