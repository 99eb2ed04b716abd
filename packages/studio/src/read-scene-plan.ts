/** Reads stored scene plans. */

import { PackshotError } from 'packshot-errors';
import type { z } from 'zod';
import { type ScenePlan, scenePlanSchema } from './scene-plan.ts';

/** Reads a stored plan. Numbers outside their range are clamped. Throws `scene_outdated`. */
export function readScenePlan(value: unknown): ScenePlan {
  const first = scenePlanSchema.safeParse(value);
  if (first.success) return first.data;
  const clamped: unknown = structuredClone(value);
  for (const issue of first.error.issues) clampAt(clamped, issue);
  const second = scenePlanSchema.safeParse(clamped);
  if (second.success) return second.data;
  throw new PackshotError(
    'scene_outdated',
    'This scene was suggested by a version whose scenes can no longer be drawn. Request new suggestions.',
    { cause: second.error },
  );
}

function clampAt(root: unknown, issue: z.core.$ZodIssue): void {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return;
  const last = issue.path.at(-1);
  let holder = root;
  for (const step of issue.path.slice(0, -1)) holder = (holder as Record<PropertyKey, unknown>)[step];
  const fields = holder as Record<PropertyKey, unknown>;
  if (last === undefined || typeof fields[last] !== 'number') return;
  fields[last] = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum);
}
