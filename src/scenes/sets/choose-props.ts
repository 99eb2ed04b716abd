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
  'room-frame': ['disc'],
  'room-arch': ['panel'],
  'room-dado': [],
};
const sideOfShape: Partial<Record<Shape, Side>> = {
  sphere: 'spheres',
  stone: 'stones',
  branch: 'branches',
  petals: 'petals',
  palm: 'palms',
};
const shapesOfSide: Record<Side, readonly Shape[]> = {
  none: [],
  spheres: ['sphere'],
  stones: ['stone'],
  'potted-plant': ['branch', 'pot'],
  branches: ['branch'],
  palms: ['palm'],
  petals: ['petals'],
  cubes: ['box'],
  vases: ['vase'],
  stool: ['branch', 'cylinder'],
  'floor-lamp': ['cylinder'],
  'rim-branches': ['branch', 'petals'],
  'rim-stones': ['stone'],
  'rim-cards': ['box', 'disc', 'sphere'],
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
  { backs, sides }: Pick<CompositionParts, 'backs' | 'sides'>,
  stage: BuiltStage,
  placing: Placing,
): Pick<ScenePlan, 'backProps' | 'sideProps'> {
  const back = chooseBack(wish, backs, stage.random);
  const backProps = makeBackProps(back, stage).slice(0, 8);
  const { kinds, maxGroups } = chooseSides(wish, sides, stage, back !== 'none' && back !== 'room');
  // Tries groups until enough fit; some have no room in a narrow frame.
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

/** Props with a familiar size: balls and petals beside a sofa would make it look like a toy. */
const impliesSize: ReadonlySet<Side> = new Set(['spheres', 'cubes', 'petals', 'vases', 'stones']);

/** Groups on the lit side; all others are on the shaded side. */
const litSides: ReadonlySet<Side> = new Set(['potted-plant', 'branches', 'palms']);

interface SideChoice {
  /** In order of preference. */
  readonly kinds: readonly Side[];
  /** Maximum number of groups to place. */
  readonly maxGroups: number;
}

function chooseSides(
  { setup, words, staging }: PropWish,
  offered: readonly Side[],
  { random, finishes, frame }: Stage,
  hasBack: boolean,
): SideChoice {
  const isWanted = (kind: Side): boolean =>
    !words?.unwanted.some((shape) => shapesOfSide[kind].includes(shape));
  const isLarge = staging === 'large';
  const fitting = isLarge ? [...offered.filter((side) => !impliesSize.has(side)), 'none' as const] : offered;
  const drawn = random.pick(fitting);
  const asked = [...new Set(words?.shapes.flatMap((shape) => sideOfShape[shape] ?? []) ?? [])];
  const shuffled = [drawn, ...random.shuffle(fitting.filter((side) => side !== drawn))];
  if (setup.composition === 'flatlay') {
    const rim = asked.includes('stones') ? 'rim-stones' : asked.length > 0 ? 'rim-branches' : drawn;
    return { kinds: [rim].filter(isWanted), maxGroups: 1 };
  }
  const isAsked = asked.length > 0;
  // A requested gold accent needs a prop to appear on.
  const isGilded = finishes.accent.material === 'metal' && words?.colors.accent?.isMetal === true;
  if (isAsked || isGilded)
    return { kinds: isAsked ? asked : ['spheres', 'cubes', 'vases'], maxGroups: isAsked ? 2 : 1 };
  if (words?.mood === 'minimal') return { kinds: [], maxGroups: 0 };
  if (drawn === 'none' && hasBack) return { kinds: [], maxGroups: 0 };
  // A wide frame needs one group on each side for balance.
  const others = shuffled.filter((side) => side !== 'none' && isWanted(side));
  const [first] = others;
  const opposite = others.filter((side) => first !== undefined && litSides.has(side) !== litSides.has(first));
  const more = frame.aspect > 1.4 ? [...opposite, 'potted-plant' as const] : others.slice(1);
  // A stage without props looks unfinished.
  const last = hasBack || setup.gobo !== 'none' || isLarge ? [] : ['potted-plant' as const];
  const kinds = [...new Set([...(first ? [first] : []), ...more, ...last])].filter(isWanted);
  // A set without a light pattern gets a second group.
  const isPlain = setup.gobo === 'none' && !isLarge && finishes.wall.material !== 'satin';
  return { kinds, maxGroups: frame.aspect > 1.4 || isPlain ? 2 : 1 };
}

/** Plants reach in behind the product, even if their roots are at another depth. */
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
