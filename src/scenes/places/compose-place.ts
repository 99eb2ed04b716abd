/** Composes one scene in a place: the view, the ground that belongs there, and a camera that fits the photo. */
import type { Variant } from '../../recipes/catalogue.ts';
import type { PlaceName } from '../../studio/places/place-names.ts';
import {
  type Finish,
  type Frame,
  measureFrame,
  type PedestalLevel,
  type ScenePlan,
  type Staging,
  scenePlanVersion,
} from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import type { ProductFeatures } from '../product-features.ts';
import { createRandom } from '../seeded-random.ts';
import { centerSubject, frameSet, sizeSubject } from '../sets/camera.ts';
import { compositionParts } from '../sets/compositions.ts';
import { type PlaceFacts, places } from './place-facts.ts';

export interface PlaceWish {
  readonly place: PlaceName;
  readonly headingDeg: number;
  readonly ground: Finish;
  readonly staging: Staging;
  readonly ratio: Variant;
  readonly features: ProductFeatures;
  readonly seed: number;
}

/** Blur at infinity, as a fraction of the longer side: that of an 85 mm lens at f/1.4 focused at two meters. */
const BLUR = 0.034;
/** Scale of boards, veins and grain relative to their scale for a hand-sized product. */
const scaleOfStaging: Partial<Record<Staging, number>> = { 'small-precious': 0.6, large: 2.4 };

export function composePlace({ place, headingDeg, ground, ...wish }: PlaceWish): ScenePlan {
  const { staging, ratio, features, seed } = wish;
  const random = createRandom(seed);
  const size = sizeSubject(features.aspect);
  const parts = compositionParts.table;
  const camera = frameSet(
    { parts, staging, ratio, subject: size, stand: 'none', isFlatlay: false, features },
    random,
  );
  const frame = measureFrame({ ratio, subject: size, camera });
  const finish = { ...ground, scale: clamp(ground.scale * (scaleOfStaging[staging] ?? 1), 0.2, 4) };
  const { light } = places[place];
  const hasFront = light === undefined && hasCleanFront(finish, staging) && random.next() < frontShare;
  const reach = staging === 'large' ? floorReach : tableReach;
  const slab = makeSlab({ finish, camera, frame, size, hasFront, reach });
  const [color] = finish.colors;
  return {
    version: scenePlanVersion,
    seed,
    composition: 'table',
    staging,
    ratio,
    subject: centerSubject(size, frame, features),
    place: { name: place, headingDeg },
    surface: { ...finish, relief: 'flat', amplitude: 0 },
    backdrop: { ...finish, kind: 'horizon', z: -6, sweepRadius: 0 },
    pedestal: { y: -slab.height, levels: [slab] },
    backProps: [],
    sideProps: [],
    palette: [color!, color!, color!, color!],
    key: {
      az: light ? clamp(azimuthOf(light, headingDeg), -80, 80) : 0,
      el: light ? clamp(light.latitudeDeg, 15, 80) : 60,
      angularRadius: 1,
      color: [1, 1, 1],
      intensity: light ? 1 : 0,
    },
    env: { top: [0, 0, 0], bottom: [0, 0, 0], front: [0, 0, 0], softbox: noSoftbox },
    gobo: { kind: 'none' },
    camera,
    dof: BLUR,
    tone: { exposure: 1, grain: 0.005, vignette: 0.1 },
  };
}

const noSoftbox: ScenePlan['env']['softbox'] = { direction: [0, 1, 0], intensity: 0 };

/** Azimuth of a place's light for a camera that looks at `headingDeg`: negative from the left, 0 from behind it. */
export function azimuthOf({ longitudeDeg }: NonNullable<PlaceFacts['light']>, headingDeg: number): number {
  const azimuth = 180 - (longitudeDeg - headingDeg);
  return azimuth - 360 * Math.round(azimuth / 360);
}

interface SlabWish {
  readonly finish: Finish;
  readonly camera: ScenePlan['camera'];
  readonly frame: Frame;
  readonly size: ScenePlan['subject'];
  readonly hasFront: boolean;
  readonly reach: Reach;
}

interface Reach {
  /** Height of the ground's far edge above the foot, as a fraction of the product's height. */
  readonly edgeShare: number;
  /** Limits of the ground's depth behind the product, in scene units; half the product's depth is 0.4. */
  readonly back: readonly [min: number, max: number];
}
/** With larger values, the table's rear edge would hide the place. */
const tableReach: Reach = { edgeShare: 0.3, back: [0.8, 2.6] };
/** The rear feet of furniture stand well inside the floor. */
const floorReach: Reach = { edgeShare: 0.46, back: [1.5, 6] };
const slabHeight = 0.11;
/** Fraction of tables in soft light that show their front edge; in low sun it would be the brightest part. */
const frontShare = 0.4;

/** Whether a front edge may show: furniture stands in the middle of a floor, and moss would hang over it. */
function hasCleanFront({ material, colors }: Finish, staging: Staging): boolean {
  return staging !== 'large' && !(material === 'stone' && colors.length > 1);
}

function makeSlab({ finish, camera, frame, size, hasFront, reach }: SlabWish): PedestalLevel {
  const { distance } = frame;
  const eye = Math.tan((camera.elevDeg * Math.PI) / 180) * distance;
  const line = reach.edgeShare * Math.max(0.7, size.height);
  // The ground at depth d behind the product appears eye * d / (distance + d) above the foot.
  const back = line < eye ? clamp((line * distance) / (eye - line), ...reach.back) : reach.back[1];
  const below = camera.baseline * frame.height;
  const nearest = (distance * below) / (eye + below);
  const front = hasFront ? Math.max(0.5, 0.6 * nearest) : nearest + 0.5;
  return {
    ...finish,
    shape: 'box',
    width: 12,
    height: slabHeight,
    depth: back + front,
    bevel: finish.material === 'marble' ? 0.012 : 0.022,
    x: 0,
    z: (front - back) / 2,
    turnDeg: 0,
    seed: 1,
  };
}
