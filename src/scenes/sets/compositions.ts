/** The compositions as data: their stands, back and side props, camera, and the stagings they suit. */
import type { Composition, Material, ScenePlan, Staging } from '../../studio/scene-plan.ts';

/** What the product stands on. */
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
  | 'slab'
  | 'rug';
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
  | 'room'
  | 'room-frame'
  | 'room-arch'
  | 'room-dado';
/** A group of props beside or in front of the product. */
export type Side =
  | 'none'
  | 'spheres'
  | 'stones'
  | 'potted-plant'
  | 'branches'
  | 'palms'
  | 'petals'
  | 'cubes'
  | 'vases'
  | 'stool'
  | 'floor-lamp'
  | 'rim-branches'
  | 'rim-stones'
  | 'rim-cards';

export interface CompositionParts {
  readonly stands: readonly [Stand, ...Stand[]];
  readonly backs: readonly [Back, ...Back[]];
  readonly sides: readonly [Side, ...Side[]];
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
    stands: ['two-podiums', 'podium'],
    backs: ['arch', 'panels', 'disc', 'none'],
    sides: ['none', 'potted-plant'],
    stagings: small,
  },
  block: {
    ...wall,
    stands: ['block'],
    backs: ['blocks', 'panels', 'arch'],
    sides: ['vases', 'potted-plant', 'none'],
    stagings: small,
  },
  table: {
    ...wall,
    stands: ['none', 'low-disc'],
    backs: ['none'],
    sides: ['potted-plant', 'vases'],
    elevDeg: [11, 14],
    stagings: small,
  },
  arch: {
    ...cove,
    stands: ['podium', 'low-disc'],
    backs: ['arch'],
    sides: ['none', 'potted-plant'],
    stagings: small,
  },
  halo: {
    ...cove,
    stands: ['podium', 'block'],
    backs: ['disc'],
    sides: ['none', 'vases'],
    stagings: small,
  },
  steps: {
    ...wall,
    stands: ['steps'],
    backs: ['none', 'arch', 'columns'],
    sides: ['potted-plant', 'none'],
    stagings: small,
  },
  columns: {
    ...cove,
    stands: ['column', 'podium'],
    backs: ['columns'],
    sides: ['none', 'potted-plant'],
    stagings: upright,
  },
  colorblock: {
    ...cove,
    stands: ['block', 'podium'],
    backs: ['disc', 'panels'],
    sides: ['cubes', 'none'],
    stagings: small,
  },
  shelf: {
    ...wall,
    stands: ['shelf'],
    // The wall is directly behind the shelf, without room for props.
    backs: ['none'],
    sides: ['vases', 'none'],
    elevDeg: [6, 9],
    stagings: small,
  },
  sweep: {
    ...cove,
    stands: ['none'],
    backs: ['none', 'disc', 'panels'],
    sides: ['potted-plant', 'vases'],
    elevDeg: [5, 9],
    stagings: anySize,
  },
  garden: {
    ...wall,
    stands: ['podium', 'stone', 'low-disc'],
    backs: ['palms'],
    sides: ['potted-plant'],
    stagings: anySize,
  },
  curtain: {
    ...wall,
    stands: ['podium', 'block', 'low-disc'],
    backs: ['curtain'],
    sides: ['none', 'vases'],
    stagings: anySize,
  },
  drape: {
    ...wall,
    relief: 'drape',
    stands: ['low-disc'],
    backs: ['curtain'],
    sides: ['none'],
    elevDeg: [12, 15],
    stagings: small,
  },
  rocks: {
    ...wall,
    stands: ['stone', 'low-disc'],
    backs: ['stones'],
    sides: ['none'],
    stagings: small,
  },
  dune: {
    ...cove,
    relief: 'dune',
    // With a sweep, the wall's paint would show between the dunes.
    backdrop: 'horizon',
    stands: ['low-disc', 'none'],
    backs: ['stones', 'none'],
    sides: ['none'],
    elevDeg: [10, 13],
    stagings: small,
  },
  water: {
    ...wall,
    relief: 'ripples',
    backdrop: 'horizon',
    stands: ['stone', 'podium'],
    backs: ['stones', 'disc'],
    sides: ['none'],
    elevDeg: [11, 14],
    stagings: small,
  },
  luxury: {
    ...cove,
    stands: ['podium', 'block'],
    backs: ['arch', 'disc', 'columns'],
    sides: ['none'],
    stagings: small,
  },
  room: {
    ...wall,
    stands: ['rug', 'none'],
    backs: ['room', 'room-frame', 'room-arch', 'room-dado'],
    sides: ['potted-plant', 'stool', 'floor-lamp'],
    elevDeg: [9, 12],
    stagings: ['large'],
  },
  flatlay: {
    ...wall,
    stands: ['none'],
    backs: ['none'],
    sides: ['rim-branches', 'rim-stones', 'rim-cards'],
    elevDeg: [0, 0],
    // Upright products seen from the front cannot lie flat.
    stagings: ['garment', 'panel', 'small-precious'],
  },
};

/** Large products on small podiums look like toys, so they stand on the ground or a rug in every composition. */
export function fitStand(stand: Stand, staging: Staging, material: Material): Stand {
  if (staging === 'large') return stand === 'rug' ? 'rug' : 'none';
  // Boulders in wood or paint look molten.
  if (stand === 'stone' && !['stone', 'travertine', 'concrete'].includes(material)) return 'low-disc';
  // A tall stand hides flat or small products.
  if (staging === 'long-low' && (stand === 'column' || stand === 'two-podiums')) return 'podium';
  if (staging !== 'small-precious') return stand;
  if (stand === 'block' || stand === 'steps') return 'slab';
  return stand === 'podium' || stand === 'two-podiums' || stand === 'column' ? 'low-disc' : stand;
}
