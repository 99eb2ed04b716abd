/** Default appearance of each material, and how the material takes a color. */

import type { Finish, Material, Staging } from '../../studio/scene-plan.ts';
import { clamp, hexFromOklch, type Oklch, oklchFromHex } from '../oklch.ts';
import type { SpokenMaterial } from '../prompt/prompt-reading.ts';
import { createRandom, hashSeed } from '../seeded-random.ts';

interface MaterialFacts {
  /** `#RRGGBB`: base and second color of the material; empty for materials that are always painted. */
  readonly own: readonly string[];
  readonly roughness: number;
  /** Strength of the surface relief. */
  readonly bump: number;
  readonly scale: number;
  /** Whether blocks, podiums and steps can be made of the material. */
  readonly isSolid: boolean;
}

/** Roughness, bump and colors are tuned on rendered sets. */
export const materialFacts: Record<Material, MaterialFacts> = {
  plaster: { own: [], roughness: 0.9, bump: 0.4, scale: 0.8, isSolid: true },
  matte: { own: [], roughness: 0.7, bump: 0, scale: 1, isSolid: true },
  lacquer: { own: [], roughness: 0.14, bump: 0, scale: 1, isSolid: true },
  marble: { own: ['#F4F2EF', '#AEAEB2'], roughness: 0.17, bump: 0, scale: 1.1, isSolid: true },
  travertine: { own: ['#E4D6BE', '#C4A983'], roughness: 0.45, bump: 0.35, scale: 1.3, isSolid: true },
  wood: { own: ['#AC9071', '#7A5F47'], roughness: 0.4, bump: 0.7, scale: 1.5, isSolid: true },
  concrete: { own: ['#A9AAAB'], roughness: 0.75, bump: 0.6, scale: 1, isSolid: true },
  terrazzo: { own: ['#F1ECE4'], roughness: 0.2, bump: 0, scale: 1.7, isSolid: true },
  linen: { own: ['#ECE4D6'], roughness: 1, bump: 0.8, scale: 0.8, isSolid: false },
  satin: { own: [], roughness: 0.38, bump: 0, scale: 1, isSolid: false },
  sand: { own: ['#DCB98F'], roughness: 1, bump: 0.8, scale: 0.8, isSolid: false },
  stone: { own: ['#8F8D89'], roughness: 0.36, bump: 0.05, scale: 2.2, isSolid: true },
  water: { own: ['#3A7478'], roughness: 0.03, bump: 1, scale: 1.1, isSolid: false },
  metal: { own: ['#D8A94A'], roughness: 0.28, bump: 0, scale: 1, isSolid: true },
  glass: { own: ['#DCE9E6'], roughness: 0.04, bump: 0, scale: 1, isSolid: true },
  leaf: { own: ['#46653A', '#86A05A'], roughness: 0.5, bump: 0, scale: 1, isSolid: false },
  petal: { own: ['#E7B8AB', '#F4DCD2'], roughness: 0.7, bump: 0, scale: 1, isSolid: false },
};

export interface FinishWish {
  readonly material: Material;
  /** Paint color, also for natural materials; these keep their own colors by default. */
  readonly color?: Oklch | undefined;
  /** Colors of terrazzo chips. */
  readonly companions?: readonly Oklch[];
  readonly scale?: number;
}

/** `fallback` is the color of materials that have no color of their own. */
export function makeFinish(wish: FinishWish, fallback: Oklch): Finish {
  const { material, color, scale } = wish;
  const facts = materialFacts[material];
  const own = facts.own[0];
  const base = color ?? (own === undefined ? fallback : oklchFromHex(own));
  const isOwn = color === undefined && own !== undefined;
  const colors = isOwn ? [...facts.own] : [hexFromOklch(base)];
  if (material === 'terrazzo') colors.push(...makeChips(base, wish.companions ?? []));
  else if (colors.length === 1) {
    const second = secondColor(material, base);
    if (second) colors.push(hexFromOklch(second));
  }
  return {
    material,
    colors,
    scale: scale ?? facts.scale,
    roughness: facts.roughness,
    bump: facts.bump,
  };
}

/** A material named in the prompt, in the requested color if there is one. */
export function makeSpokenFinish(
  spoken: SpokenMaterial,
  color: Oklch | undefined,
  fallback: Oklch,
  companions: readonly Oklch[],
): Finish {
  const [first, second] = spoken.colors;
  const plain = makeFinish(
    {
      material: spoken.material,
      color: color ?? (first === undefined ? undefined : oklchFromHex(first)),
      companions,
    },
    fallback,
  );
  const colors = color === undefined && second !== undefined ? [plain.colors[0]!, second] : plain.colors;
  if (spoken.lighten === 0) return { ...plain, colors };
  const shift = (hex: string): string => {
    const { l, c, h } = oklchFromHex(hex);
    return hexFromOklch({ l: clamp(l + spoken.lighten, 0.2, 0.95), c, h });
  };
  return { ...plain, colors: colors.map(shift) };
}

function secondColor(material: Material, { l, c, h }: Oklch): Oklch | undefined {
  switch (material) {
    case 'marble':
      // Veins are lighter than dark stone and darker than light stone. On dark stone, they are only slightly lighter,
      // because bright veins would look like light on water.
      return l < 0.5 ? { l: l + 0.15, c: 0.02, h: 85 } : { l: l - 0.33, c: Math.max(0.008, c * 0.8), h };
    case 'travertine':
      return { l: l - 0.14, c: c + 0.025, h: h - 6 };
    case 'wood':
      return { l: l - 0.19, c: c * 0.95, h: h - 6 };
    case 'leaf':
    case 'petal':
      return { l: l + 0.09, c: c * 0.7, h };
    default:
      return undefined;
  }
}

/** Chip colors for terrazzo: up to three `companions`, a sand color and a gray. */
function makeChips(base: Oklch, companions: readonly Oklch[]): string[] {
  const strong = companions
    .slice(0, 3)
    .map(({ l, c, h }) => hexFromOklch({ l: clamp(l - 0.08, 0.35, 0.8), c: clamp(c * 1.3, 0.04, 0.12), h }));
  const warm = hexFromOklch({ l: clamp(base.l - 0.1, 0.3, 0.9), c: 0.045, h: 80 });
  const gray = hexFromOklch({ l: clamp(base.l - 0.3, 0.25, 0.7), c: 0.012, h: 265 });
  return [...strong, warm, gray];
}

/** Ranges of the factors on a plaster's scale and bump. */
const troweled = {
  usual: { scale: [0.6, 1.8], bump: [0.15, 0.9] },
  room: { scale: [1.5, 2.5], bump: [0.1, 0.3] },
} as const;

/**
 * Plaster is troweled differently on every wall: nearly smooth, or in finer or coarser strokes. Behind furniture, the
 * strokes are fine. When they were as large as behind a bottle, judges said that the wall looked like crumpled paper.
 */
export function varyRelief(
  { material, scale, bump }: Finish,
  { seed, staging }: { readonly seed: number; readonly staging: Staging },
): Pick<Finish, 'scale' | 'bump'> {
  if (material !== 'plaster') return { scale, bump };
  const random = createRandom(hashSeed(seed, 'trowel'));
  const factors = staging === 'large' ? troweled.room : troweled.usual;
  return {
    scale: clamp(scale * random.between(factors.scale[0], factors.scale[1]), 0.2, 4),
    bump: bump * random.between(factors.bump[0], factors.bump[1]),
  };
}
