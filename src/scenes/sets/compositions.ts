/** The compositions as data: their stands, back and side props, camera, and the stagings they suit. */
import type { Composition, Material, ScenePlan, Staging } from '../../studio/scene-plan.ts';

/** Kinds of stands for the product. */
export type Stand =
  | 'none'
  | 'podium'
  | 'two-podiums'
  | 'low-disc'
  | 'block'
  | 'steps'
  | 'shelf'
  | 'stone'
  | 'column'
  | 'slab';
/** A group of props behind the product. */
export type Back =
  | 'none'
  | 'arch'
  | 'disc'
  | 'panels'
  | 'blocks'
  | 'columns'
  | 'curtain'
  | 'stones'
  | 'palms'
  | 'room';
/** A group of props beside or in front of the product. A set has them only if a prompt requests them. */
export type Side =
  | 'spheres'
  | 'stones'
  | 'branches'
  | 'palms'
  | 'petals'
  | 'cubes'
  | 'vases'
  | 'rim-branches'
  | 'rim-stones';

export interface CompositionParts {
  readonly stands: readonly [Stand, ...Stand[]];
  readonly backs: readonly [Back, ...Back[]];
  readonly relief: ScenePlan['surface']['relief'];
  readonly backdrop: ScenePlan['backdrop']['kind'];
  /** Camera elevation in degrees, unless the photo's viewpoint is known. */
  readonly elevDeg: readonly [min: number, max: number];
  readonly stagings: readonly Staging[];
}

const upright: readonly Staging[] = ['upright-tall', 'upright-squat', 'panel', 'irregular'];
const small: readonly Staging[] = [...upright, 'small-precious', 'long-low'];
const anySize: readonly Staging[] = [...small, 'large'];
const wall = { relief: 'flat', backdrop: 'wall', elevDeg: [10, 13] } as const;
const cove = { relief: 'flat', backdrop: 'cyclorama', elevDeg: [9, 12] } as const;

export const compositionParts: Record<Composition, CompositionParts> = {
  podium: {
    ...cove,
    stands: ['podium'],
    backs: ['none'],
    stagings: small,
  },
  block: {
    ...wall,
    stands: ['block'],
    backs: ['none'],
    stagings: small,
  },
  table: {
    ...wall,
    stands: ['none'],
    backs: ['none'],
    elevDeg: [11, 14],
    stagings: small,
  },
  arch: {
    ...cove,
    stands: ['podium', 'low-disc'],
    backs: ['arch'],
    stagings: small,
  },
  halo: {
    ...cove,
    stands: ['podium', 'block'],
    backs: ['disc'],
    stagings: small,
  },
  steps: {
    ...wall,
    stands: ['steps'],
    backs: ['none'],
    stagings: small,
  },
  columns: {
    ...cove,
    stands: ['column', 'podium'],
    backs: ['columns'],
    stagings: upright,
  },
  colorblock: {
    ...cove,
    stands: ['block', 'podium'],
    backs: ['disc', 'panels'],
    stagings: small,
  },
  shelf: {
    ...wall,
    stands: ['shelf'],
    // The wall is directly behind the shelf, without room for props.
    backs: ['none'],
    elevDeg: [6, 9],
    stagings: small,
  },
  sweep: {
    ...cove,
    stands: ['none'],
    backs: ['none'],
    elevDeg: [5, 9],
    stagings: anySize,
  },
  garden: {
    ...wall,
    stands: ['podium', 'stone', 'low-disc'],
    backs: ['palms'],
    stagings: anySize,
  },
  curtain: {
    ...wall,
    stands: ['podium', 'low-disc'],
    backs: ['curtain'],
    stagings: anySize,
  },
  drape: {
    ...wall,
    relief: 'drape',
    stands: ['low-disc'],
    backs: ['curtain'],
    elevDeg: [12, 15],
    stagings: small,
  },
  rocks: {
    ...wall,
    stands: ['stone', 'low-disc'],
    backs: ['stones'],
    stagings: small,
  },
  dune: {
    ...cove,
    relief: 'dune',
    // With a sweep, the painted wall would be visible between the dunes.
    backdrop: 'horizon',
    stands: ['low-disc', 'none'],
    backs: ['none'],
    elevDeg: [10, 13],
    stagings: small,
  },
  water: {
    ...wall,
    relief: 'ripples',
    backdrop: 'horizon',
    stands: ['stone', 'podium'],
    backs: ['stones', 'none'],
    elevDeg: [11, 14],
    stagings: small,
  },
  luxury: {
    ...cove,
    stands: ['podium', 'block'],
    backs: ['arch', 'disc', 'columns'],
    stagings: small,
  },
  room: {
    ...wall,
    stands: ['none'],
    backs: ['room'],
    elevDeg: [9, 12],
    stagings: ['large'],
  },
  flatlay: {
    ...wall,
    stands: ['none'],
    backs: ['none'],
    elevDeg: [0, 0],
    // Upright products seen from the front cannot lie flat.
    stagings: ['garment', 'panel', 'small-precious', 'hung'],
  },
};

interface StandWish {
  readonly staging: Staging;
  readonly material: Material;
  /** Whether the prompt requests this stand. */
  readonly isAsked: boolean;
}

/** Large products on small podiums look like toys, so they stand on the ground in every composition. */
export function fitStand(stand: Stand, { staging, material, isAsked }: StandWish): Stand {
  if (staging === 'large') return 'none';
  // Boulders in wood or paint look molten.
  if (stand === 'stone' && !['stone', 'travertine', 'concrete'].includes(material)) return 'low-disc';
  if (staging === 'long-low') {
    // A tall stand hides low products, and a round stand as wide as a long product does not fit into the
    // frame.
    if (!isAsked && (stand === 'podium' || stand === 'low-disc')) return 'block';
    return stand === 'column' || stand === 'two-podiums' ? 'podium' : stand;
  }
  if (staging !== 'small-precious') return stand;
  if (stand === 'block' || stand === 'steps') return 'slab';
  return stand === 'podium' || stand === 'two-podiums' || stand === 'column' ? 'low-disc' : stand;
}
