/** The pattern in the key light of a set: a window, blinds, leaves or a slit. */
import type { Gobo, GoboKind } from '../../studio/scene-plan.ts';
import type { BuiltStage } from './stage.ts';

export interface GoboWish {
  readonly gobo: GoboKind;
  readonly isGoboAsked: boolean;
  readonly isFlatlay: boolean;
}

/**
 * z coordinate of the farthest leaf shadows, in scene units. A wall further back is visible only above the product, so
 * the shadows could not fall on the wall beside the product.
 */
const farthestLeaves = -4.6;

/** Fraction of the key light that passes the dark parts of a pattern that the prompt did not request. */
const unaskedLeak = 0.5;

/** The position is preliminary: `lightFoot` moves the gobo once the plan is chosen. */
export function makeGobo(wish: GoboWish, { side, wallZ, random }: BuiltStage): Gobo {
  const { isFlatlay } = wish;
  // Leaf shadows fall on the wall beside the product, on the side of the product's shadow. Windows, blinds and
  // slits are centered between wall and product, because their patterns are large enough to cover both.
  const isLeafy = wish.gobo === 'palm' || wish.gobo === 'foliage';
  const leavesZ = Math.max(wallZ, farthestLeaves);
  const target = {
    u: isFlatlay ? 0 : -side * (isLeafy ? random.between(0.05, 0.4) : random.between(0, 0.55)),
    v: isFlatlay ? 0.5 : isLeafy ? random.between(0.58, 0.72) : random.between(0.5, 0.72),
    z: isFlatlay
      ? 0
      : Math.max(wallZ + 0.1, isLeafy ? leavesZ + random.between(0.3, 0.6) : random.between(-1.6, -0.7)),
  };
  // The product keeps the light of its photo, so a pattern visibly stops at the product's outline. Patterns that the
  // prompt did not request are therefore pale.
  const minLeak = wish.isGoboAsked ? (isFlatlay ? 0.35 : 0) : unaskedLeak;
  const soft = (distance: number, scale: number, leak: number, tiltDeg: number) => ({
    target,
    distance: isFlatlay ? Math.max(distance, 3) : distance,
    scale,
    leak: Math.max(leak, minLeak),
    tiltDeg,
  });
  switch (wish.gobo) {
    case 'none':
      return { kind: 'none' };
    case 'window':
      return {
        kind: 'window',
        // The panes are so large that a product fits into the light of one pane.
        ...soft(2.2, random.between(1.6, 1.85), random.between(0.2, 0.28), random.between(4, 9)),
        columns: random.pick([2, 2, 3]),
        rows: 3,
        paneWidth: random.between(0.72, 0.82),
        paneHeight: random.between(0.7, 0.76),
        bar: random.between(0.07, 0.09),
      };
    case 'blinds':
      return {
        kind: 'blinds',
        ...soft(1.8, 1.2, 0.18, random.between(3, 12)),
        period: random.between(0.2, 0.3),
        open: random.between(0.55, 0.65),
      };
    case 'palm':
      return {
        kind: 'palm',
        ...soft(1, random.between(0.72, 0.85), random.between(0.15, 0.25), 0),
        fronds: 3,
        directionDeg: -side * random.between(12, 30),
        seed: random.seed(),
      };
    case 'foliage':
      return {
        kind: 'foliage',
        ...soft(1.3, 1, 0.25, 0),
        leafSize: random.pick([0.15, 0.2]),
        density: random.pick([0.36, 0.46]),
        seed: random.seed(),
      };
    case 'slit':
      return {
        kind: 'slit',
        ...soft(2.5, 1, 0.14, side * -28),
        width: random.between(0.9, 1.1),
        softness: 0.12,
      };
  }
}
