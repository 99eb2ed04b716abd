/** Explainable rules that infer a product's kind and staging from its silhouette. The first match wins. */
import { readFileSync } from 'node:fs';
import { type Staging, stagings } from 'packshot-studio';
import { z } from 'zod';
import { hueDistance } from '../oklch.ts';
import type { ProductFeatures } from '../product-features.ts';
import { productKinds } from './product-kinds.ts';

/**
 * The rules' stagings were tuned on 53 public shop pictures, of which 51 come out right, and their kinds on 50 cutouts
 * of 22 products. Expect lower accuracy on other pictures. A word for the product, in the prompt or in the name of the
 * file, overrides every rule.
 */
export const silhouetteRules = z
  .array(
    z.strictObject({
      /** Completes the sentence "its outline looks like …". */
      name: z.string(),
      kind: z.enum(productKinds),
      staging: z.enum(stagings),
      /** Usual length of the longer side, in centimeters, if the outline is more specific than the staging. */
      lengthCm: z.number().exactOptional(),
      /** Never above 0.6, because many products share a silhouette. */
      confidence: z.number().max(0.6),
      /** Conditions of the form `measure < value`, separated by commas. */
      where: z.string(),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('../data/outlines.json', import.meta.url), 'utf8')))
  .map(({ where, ...rule }) => {
    const conditions = where.split(', ').map(readCondition);
    return { ...rule, holds: (f: ProductFeatures) => conditions.every((holds) => holds(f)) };
  });

/** A feature, or `max2-4` (`min2-4`): the greatest (smallest) width of these bands of the profile. */
function measure(f: ProductFeatures, name: string): number {
  const [, end, from, to = from] = /^(min|max)(\d)(?:-(\d))?$/.exec(name) ?? [];
  if (end !== undefined) {
    const bands = f.profile.slice(Number(from), Number(to) + 1);
    return end === 'min' ? Math.min(...bands) : Math.max(...bands);
  }
  const values: Readonly<Record<string, unknown>> = {
    ...f,
    ...measureShoulder(f),
    fromGreen: hueDistance(f.mainColor.h, 130),
  };
  if (!(name in values)) throw new Error(`outlines.json: unknown measure "${name}"`);
  return Number(values[name] ?? 0);
}

/** A narrow `cap` of constant width above a full `body`: cosmetics, unlike drinks, whose bottles taper. */
function measureShoulder({ profile }: ProductFeatures): Record<string, unknown> {
  const shoulder = profile.findIndex((share) => share > 0.85);
  const [cap, body] = [profile.slice(0, shoulder), profile.slice(shoulder, 7)];
  return { shoulder, cap: Math.max(...cap), body: Math.min(...body) };
}

const signs: Readonly<Record<string, (own: number, limit: number) => boolean>> = {
  '<': (own, limit) => own < limit,
  '<=': (own, limit) => own <= limit,
  '>': (own, limit) => own > limit,
  '>=': (own, limit) => own >= limit,
  '=': (own, limit) => own === limit,
};

/** The value is a number, a measure, or a multiple of one, such as `1.8 * max4-6`. */
function readCondition(text: string): (f: ProductFeatures) => boolean {
  const [, name, sign, factor = 1, value] = /^(\S+) (\S+) (?:([\d.]+) \* )?(\S+)$/.exec(text)!;
  const isNumber = /^[\d.]+$/.test(value!);
  return (f) =>
    signs[sign!]!(measure(f, name!), Number(factor) * (isNumber ? Number(value) : measure(f, value!)));
}

/** Fallback if no rule matches: determines the staging by proportions alone. */
export function stageBySilhouette(f: ProductFeatures): Staging {
  if (f.fill >= 0.95 && f.symmetry >= 0.97) return 'panel';
  if (f.aspect >= 1.5) return 'long-low';
  if (f.aspect < 0.65 && f.symmetry >= 0.85 && f.footWidth > 0.2) return 'upright-tall';
  if (f.footWidth >= 0.5 && f.fill > 0.55) return 'upright-squat';
  return 'irregular';
}
