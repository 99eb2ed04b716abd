/** Chooses the props of a set from its composition and the prompt, and keeps them clear of the product. */

import type { Prop, ScenePlan, Shape, Staging } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import type { PromptReading } from '../parse-prompt.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { makeBackProps } from './back-props.ts';
import type { Back, CompositionParts, Side, Stand } from './compositions.ts';
import type { Setup } from './setups.ts';
import { makeSideProps } from './side-props.ts';
import { type BuiltStage, freeZone, halfU, type Stage, shareOf } from './stage.ts';

const backOfShape: Partial<Record<Shape, Back>> = {
  arch: 'arch',
  disc: 'disc',
  panel: 'panels',
  curtain: 'curtain',
  palm: 'palms',
};
const shapesOfBack: Record<Back, readonly Shape[]> = {
  none: [],
  arch: ['arch'],
  disc: ['disc'],
  panels: ['panel'],
  blocks: ['box'],
  columns: ['cylinder'],
  curtain: ['curtain'],
  stones: ['stone'],
  palms: ['palm'],
  room: [],
};
const sideOfShape: Partial<Record<Shape, Side>> = {
  sphere: 'spheres',
  stone: 'stones',
  branch: 'branches',
  petals: 'petals',
  palm: 'palms',
};
const shapesOfSide: Record<Side, readonly Shape[]> = {
  spheres: ['sphere'],
  stones: ['stone'],
  branches: ['branch'],
  palms: ['palm'],
  petals: ['petals'],
  cubes: ['box'],
  vases: ['vase'],
  'rim-branches': ['branch', 'petals'],
  'rim-stones': ['stone'],
};

interface PropWish {
  readonly setup: Setup;
  readonly staging: Staging;
  readonly words: PromptReading | undefined;
}

interface Placing {
  readonly pedestal: ScenePlan['pedestal'];
  readonly stand: Stand;
}

export function makeProps(
  wish: PropWish,
  { backs }: Pick<CompositionParts, 'backs'>,
  stage: BuiltStage,
  placing: Placing,
): Pick<ScenePlan, 'backProps' | 'sideProps'> {
  const back = chooseBack(wish, backs, stage.random);
  const backProps = makeBackProps(back, stage).slice(0, 12);
  const { kinds, maxGroups } = chooseSides(wish, stage);
  // Tries groups until enough fit: in a narrow frame, there is no room for some groups.
  const groups: Prop[][] = [];
  for (const kind of kinds) {
    if (groups.length >= maxGroups) break;
    const group = placeSides(wish, kind, stage, placing);
    if (group.length > 0) groups.push(group);
  }
  return { backProps, sideProps: groups.flat().slice(0, 12) };
}

function chooseBack({ setup, words, staging }: PropWish, backs: readonly Back[], random: SeededRandom): Back {
  const drawn = random.pick(backs);
  if (setup.composition === 'flatlay' || setup.composition === 'shelf') return 'none';
  const asked = words?.shapes.flatMap((shape) => backOfShape[shape] ?? [])[0];
  // Behind furniture an arch looks like a doorway, but discs and panels look like toys.
  if (asked && asked !== 'palms' && (staging !== 'large' || asked === 'arch')) return asked;
  const isUnwanted = words?.unwanted.some((shape) => shapesOfBack[drawn].includes(shape)) ?? false;
  // Minimal sets show only the stand.
  const isTooMuch = words?.mood === 'minimal' && (backs.includes('none') || setup.composition === 'room');
  if (!isUnwanted && !isTooMuch) return drawn;
  return setup.composition === 'room' ? 'room' : 'none';
}

interface SideChoice {
  /** In order of preference. */
  readonly kinds: readonly Side[];
  /** Maximum number of groups to place. */
  readonly maxGroups: number;
}

/**
 * Chooses only props that the prompt requests: judges mistook other props for merchandise, or noticed that the
 * props were rendered.
 */
function chooseSides({ setup, words }: PropWish, { finishes }: Stage): SideChoice {
  const isWanted = (kind: Side): boolean =>
    !words?.unwanted.some((shape) => shapesOfSide[kind].includes(shape));
  const asked = [...new Set(words?.shapes.flatMap((shape) => sideOfShape[shape] ?? []) ?? [])];
  if (setup.composition === 'flatlay' && asked.length > 0) {
    const rim: Side = asked.includes('stones') ? 'rim-stones' : 'rim-branches';
    return { kinds: isWanted(rim) ? [rim] : [], maxGroups: 1 };
  }
  if (asked.length > 0) return { kinds: asked, maxGroups: 2 };
  // A requested gold accent needs a prop to appear on.
  const isGilded = finishes.accent.material === 'metal' && words?.colors.accent?.isMetal === true;
  return { kinds: isGilded ? ['spheres', 'cubes', 'vases'] : [], maxGroups: 1 };
}

/** Plants need not keep clear of the product: they reach in behind it, even if their roots are at another depth. */
const plants: ReadonlySet<Shape> = new Set(['branch', 'olive', 'palm', 'monstera', 'pampas']);

function placeSides(wish: PropWish, kind: Side, stage: BuiltStage, { pedestal, stand }: Placing): Prop[] {
  const isFlatlay = wish.setup.composition === 'flatlay';
  const isShelf = stand === 'shelf';
  // A shelf fills the frame's width, so props stand on it.
  const props = makeSideProps(kind, stage, isShelf ? [] : (pedestal?.levels ?? []));
  const placed = isShelf
    ? props.map((prop) => ({
        ...prop,
        y: prop.y + shareOf(stage, stage.baseY),
        z: clamp(prop.z, -0.45, 0.02),
      }))
    : props;
  return placed.filter(({ shape, u, z, width }) => {
    if (wish.words?.unwanted.includes(shape)) return false;
    const isBehind = plants.has(shape) || z <= -0.3 || isFlatlay;
    return isBehind || Math.abs(u) - halfU(stage, width, z) >= freeZone(stage) - 0.03;
  });
}
