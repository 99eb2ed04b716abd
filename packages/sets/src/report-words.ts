/** Reports which words of a prompt the pictures of its list show: by what is in the plans, and large enough to be seen. */
import type { Finish, ScenePlan } from 'packshot-studio';
import type { PlannedScene } from './choose-scenes.ts';
import type { Mood, Part } from './color-wish.ts';
import { type Concept, shapesOf } from './dictionary.ts';
import { type Coverage, measureCoverage } from './measure-coverage.ts';
import { colorDistance, oklchFromHex } from './oklch.ts';
import type { Spoken, UnusedReason, Want } from './read-wants.ts';

export interface UsedWords {
  /** As typed; several if they ask for one thing. */
  readonly words: readonly string[];
  /** What the words became, such as "sage wall". */
  readonly effect: string;
}

export interface UnusedWords {
  readonly words: string;
  readonly reason: UnusedReason;
}

export interface WordReport {
  readonly used: readonly UsedWords[];
  readonly notShown: readonly UnusedWords[];
}

/** A thing that covers less of a picture cannot be recognized in it. */
const leastShare = 0.01;
/** Light changes how a paint looks; up to this OKLab distance, it still has the name of the color asked for. */
const sameColor = 0.13;
/** More entries would tell the reader little that is new. */
const maxUnused = 40;

interface Seen extends PlannedScene {
  readonly coverage: Coverage;
}

export function reportWords(spoken: readonly Spoken[], scenes: readonly PlannedScene[]): WordReport {
  const asksForParts = spoken.some(({ want }) => want !== undefined);
  const seen = asksForParts
    ? scenes.map((scene) => ({ ...scene, coverage: measureCoverage(scene.plan) }))
    : [];
  const used: UsedWords[] = [];
  const notShown: UnusedWords[] = [];
  for (const { words, want, reason } of spoken) {
    const shown = want === undefined ? 0 : seen.filter((scene) => isShown(want, scene)).length;
    if (want && shown > 0) {
      const share = shown < seen.length ? ` (in ${shown} of ${seen.length} scenes)` : '';
      used.push({ words, effect: nameWant(want) + share });
    } else if (want?.type !== 'absent')
      notShown.push({ words: words.join(' '), reason: reason ?? 'no_effect' });
  }
  const isFirst = ({ words }: UnusedWords, index: number): boolean =>
    notShown.findIndex((other) => other.words.toLowerCase() === words.toLowerCase()) === index;
  return { used, notShown: notShown.filter(isFirst).slice(0, maxUnused) };
}

function isShown(want: Want, scene: Seen): boolean {
  const { plan } = scene;
  switch (want.type) {
    case 'color':
      return partsOf(scene).some(
        ({ part, finish, share }) =>
          (part === want.part || (want.part === 'accent' && part === 'prop')) &&
          share >= leastShare &&
          colorDistance(oklchFromHex(finish.colors[0]!), want.color) < sameColor,
      );
    case 'material':
      return partsOf(scene).some(
        ({ part, finish, share }) =>
          (want.part === 'any' || want.part === part) &&
          finish.material === want.material.material &&
          share >= leastShare,
      );
    case 'mood':
      return showsMood(want.mood, scene);
    case 'absent':
      return (
        ![...plan.backProps, ...plan.sideProps].some(({ shape }) => want.shapes.includes(shape)) &&
        (!want.isPattern || plan.gobo.kind === 'none') &&
        (want.shapes.length > 0 || want.isPattern)
      );
    case 'concept':
      return showsConcept(want.concept, scene);
    case 'file':
      return scene.file.id === want.id;
  }
}

function showsConcept(concept: Concept, scene: Seen): boolean {
  const { plan, coverage, file } = scene;
  const { pattern, warmth, mood, shows, tag } = concept;
  const isTagged = file.tags.includes(tag);
  // The light or the palette was applied: this needs no object.
  if (pattern !== undefined && plan.gobo.kind === pattern && plan.place === undefined) return true;
  if (warmth !== undefined && plan.place === undefined && isWarm(plan) === (warmth === 'warm')) return true;
  if (mood !== undefined && showsMood(mood, scene)) return true;
  if (shows === undefined) return isTagged;
  const { stand, material, relief, ground, wall, sweep, flat, place } = shows;
  const shapes = shapesOf(concept);
  const checks = [
    shapes.some((shape) => (coverage.shapes.get(shape) ?? 0) >= leastShare),
    stand !== undefined &&
      coverage.stand >= leastShare &&
      plan.pedestal?.levels.some(({ shape }) => shape === stand),
    material !== undefined &&
      isTagged &&
      partsOf(scene).some(({ finish, share }) => finish.material === material && share >= leastShare),
    relief !== undefined && plan.surface.relief === relief && coverage.floor >= leastShare,
    ground && coverage.floor >= leastShare && plan.composition !== 'flatlay' && isTagged,
    wall && isTagged && coverage.wall >= leastShare,
    sweep && plan.backdrop.kind === 'cyclorama' && plan.place === undefined,
    flat && plan.composition === 'flatlay' && !plan.subject.hangs,
    place && isTagged && coverage.place >= leastShare,
  ];
  return checks.some((isTrue) => isTrue === true);
}

const isWarm = ({ key }: ScenePlan): boolean => key.color[2] < 0.86;

function showsMood(mood: Mood, { plan, file }: Seen): boolean {
  const wall = oklchFromHex(plan.palette[0]);
  switch (mood) {
    case 'dark':
      return wall.l < 0.5 || file.tags.includes('night');
    case 'bold':
      return wall.c >= 0.055;
    case 'pastel':
      return wall.l >= 0.66 && wall.c >= 0.012 && wall.c <= 0.08;
    case 'minimal':
      return plan.place === undefined && plan.sideProps.length === 0 && plan.gobo.kind === 'none';
    case 'natural':
      return file.tags.includes('natural') || plan.place !== undefined;
  }
}

interface SeenPart {
  readonly part: Part | 'prop';
  readonly finish: Finish;
  readonly share: number;
}

function partsOf({ plan, coverage }: Seen): SeenPart[] {
  const { pedestal, surface, backdrop, backProps, sideProps } = plan;
  const isPlace = plan.place !== undefined;
  const isFlat = plan.composition === 'flatlay';
  const parts: SeenPart[] = [];
  const add = (part: SeenPart['part'], finish: Finish, share: number) => parts.push({ part, finish, share });
  if (!isPlace) add('wall', isFlat ? surface : backdrop, coverage.wall);
  if (isFlat) add('floor', surface, coverage.wall);
  else if (!isPlace) add('floor', backdrop.kind === 'cyclorama' ? backdrop : surface, coverage.floor);
  for (const level of pedestal?.levels ?? [])
    add(isPlace ? 'floor' : 'stand', level, isPlace ? coverage.floor : coverage.stand);
  for (const prop of [...backProps, ...sideProps]) add('prop', prop, coverage.shapes.get(prop.shape) ?? 0);
  return parts;
}

function nameWant(want: Want): string {
  switch (want.type) {
    case 'color':
      return [want.tint, want.color.name, want.part === 'accent' ? 'accents' : want.part]
        .filter(Boolean)
        .join(' ');
    case 'material':
      return `${want.tag.replaceAll('-', ' ')}${want.part === 'any' ? '' : ` ${want.part}`}`;
    case 'mood':
      return `${want.mood} colors`;
    case 'absent':
      return want.isPattern ? 'plain light' : `no ${want.shapes.join(', ')}`;
    case 'concept':
      return want.concept.tag.replaceAll('-', ' ');
    case 'file':
      return want.id.replaceAll('-', ' ');
  }
}
