/** The scale of materials around a product, so that boards and grain show its real size. */
import { clamp } from 'packshot-pixels';
import type { Material, ScenePlan } from 'packshot-studio';

/** Centimeters per scene unit at which materials have a scale of 1: a bottle is 28 cm, or 1 unit, high. */
const bottleCm = 28;
/** At a scale of 1, boards beside a bottle are 17 cm wide; this factor makes them narrower, like those of tables. */
const boardsFactor = 1.25;
/**
 * Veins and pores scale with the square root of the real size. At their real scale, marble beside a ring
 * would show no veins, and concrete below a chair would be plain gray.
 */
const stoneExponent = 0.5;
const limits = { boards: [0.7, 2.6], stone: [0.7, 1.6] } as const;

/**
 * Factor on a material's scale beside a product whose longer side is `lengthCm` long; larger is finer. Boards,
 * 0.6 units wide at a scale of 1, then appear 13 cm wide beside products of 20 to 60 cm. Beside smaller products,
 * boards are narrower: at 13 cm, their grain, which has the same scale, would be so coarse that it would look like
 * scratches.
 */
export function realScale(
  material: Material,
  { width, height }: Pick<ScenePlan['subject'], 'width' | 'height'>,
  lengthCm: number,
): number {
  const factor = lengthCm / Math.max(width, height) / bottleCm;
  return material === 'wood'
    ? clamp(boardsFactor * factor, ...limits.boards)
    : clamp(factor ** stoneExponent, ...limits.stone);
}

/** Limits of a slab's width, in scene units: several slabs are visible, and each is wider than the product. */
const slabLimits = [1.4, 2.2] as const;

/** Width of a slab of `slabCm` beside a product whose longer side is `lengthCm` long, in scene units. */
export function slabWidth(
  slabCm: number,
  { width, height }: Pick<ScenePlan['subject'], 'width' | 'height'>,
  lengthCm: number,
): number {
  return clamp((slabCm / lengthCm) * Math.max(width, height), ...slabLimits);
}

/** The floor below furniture is scaled for a chair that is one meter, or 1 unit, high. */
const chairCm = 100;
const minerals: ReadonlySet<Material> = new Set(['marble', 'travertine', 'stone', 'concrete', 'terrazzo']);

/** Factor that makes marble floors finer: veins as large as a chair, or wider than a sofa's seat, look like cracks. */
const finerVeins = 1.8;

/** Like `realScale`, for the ground of a set; 1 unless the material is wood or stone, whose scale viewers know. */
export function groundScale(
  material: Material,
  subject: Pick<ScenePlan['subject'], 'width' | 'height'>,
  { lengthCm, isFloor }: { readonly lengthCm: number; readonly isFloor: boolean },
): number {
  if (material === 'wood' && isFloor) {
    return clamp(lengthCm / Math.max(subject.width, subject.height) / chairCm, 0.7, 2);
  }
  const veins = material === 'marble' && isFloor ? finerVeins : 1;
  return material === 'wood' || minerals.has(material) ? veins * realScale(material, subject, lengthCm) : 1;
}
