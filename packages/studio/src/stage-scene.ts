/**
 * Converts a scene plan to the renderer's scene: frame coordinates to world units, and fractions of the frame to sizes.
 */

import { type Camera, makeCamera, unprojectX, unprojectY } from './camera.ts';
import type { Plot } from './meshes/ground.ts';
import type { Vec3 } from './meshes/mesh.ts';
import type { Shape } from './meshes/shape.ts';
import { hashUnit } from './noise.ts';
import { type Finish, measureFrame, type Gobo as PlannedGobo, type ScenePlan } from './scene-plan.ts';
import { stagePedestal, stageProp } from './stage-objects.ts';
import type { Gobo, MaterialSettings, SceneObject, StudioScene } from './studio-scene.ts';

/** Height of the canvas in pixels. The camera needs a canvas, but only its proportions matter here. */
const CANVAS_HEIGHT = 1000;
/** Frame height for which the gobo patterns were tuned, in scene units. */
const GOBO_FRAME = 1.5;
/** Half the maximum thickness of a standing product, and of one that lies flat, in scene units. */
const STANDING_DEPTH = 0.4;
const LYING_DEPTH = 0.05;
const HUNG_DEPTH = 0.2;
/** Distance between a hung product and the wall behind it, in scene units: near enough for the wall to show its shadow. */
const HUNG_GAP = 0.16;
const MAX_BODY_DEPTH = 0.75;
/**
 * Board width for pedestals and props, in scene units: so wide that no joints show, and each object looks cut from one
 * piece.
 */
const SOLID_WIDTH = 2;
/**
 * Board width in scene units: for a table or wall (`PLANK_WIDTH`), and for the floor below furniture. Relative to the
 * furniture, the floor's boards are 13 cm wide below a chair of 1 m, and 17 cm below a sofa of 1.8 m.
 */
const PLANK_WIDTH = 0.6;
const FLOOR_PLANK_WIDTH = 0.13;
/** Texture scale at which the boards of a studio set have these widths; at a finer scale they are narrower. */
const SET_SCALE = 1.5;
/**
 * Texture scale at which a place's floorboards have `FLOOR_PLANK_WIDTH`, and the length of those boards as a multiple
 * of their width.
 */
const FLOOR_SCALE = 2.4;
const PLANK_LENGTH = 11;
/** Distance of the nearest joint between slabs in front of the product, relative to a slab's width. */
const JOINT_IN_FRONT = 0.22;
/** Range of texture offsets in scene units; larger than any set. */
const CUT_RANGE = 40;
/** Number of distinct leaf patterns; position, scale and rotation add further variety. */
const LEAF_PATTERNS = 6;
const RADIANS = Math.PI / 180;

export function stageScene(plan: ScenePlan): StudioScene {
  const flat = plan.composition === 'flatlay';
  const bare: StudioScene = {
    seed: plan.seed,
    view: flat ? 'flat-lay' : 'standing',
    subject: plan.subject,
    baseY: measureStand(plan),
    camera: plan.camera,
    place: plan.place,
    backdrop:
      flat || plan.place !== undefined
        ? undefined
        : {
            z: plan.backdrop.z,
            sweepRadius: plan.backdrop.kind === 'cyclorama' ? plan.backdrop.sweepRadius : 0,
            floor: plan.backdrop.kind === 'cyclorama' ? 'backdrop' : 'surface',
            wall: 'backdrop',
          },
    materials: {},
    objects: [],
    key: plan.key,
    environment: plan.env,
    gobo: undefined,
    depthOfField: plan.dof,
    tone: plan.tone,
    productDepth: flat ? (plan.subject.hangs ? HUNG_DEPTH : LYING_DEPTH) : STANDING_DEPTH,
    gap: flat && plan.subject.hangs ? HUNG_GAP : undefined,
    bodyDepth: plan.staging === 'large' && !flat ? measureDepth(plan.subject) : undefined,
    isBushy: plan.subject.isBushy && !flat && !['large', 'garment'].includes(plan.staging),
  };
  const { aspect } = measureFrame(plan);
  const canvas = { width: CANVAS_HEIGHT * aspect, height: CANVAS_HEIGHT };
  // The set is built for the planned frame. The lens shift (`offset`) then moves the whole set in the picture.
  const camera = makeCamera({ ...bare, camera: { ...bare.camera, offset: undefined } }, canvas);
  const isFloor = plan.staging === 'large';
  const materials: Record<string, MaterialSettings> = {
    surface: readFinish(plan.surface, plankWidth(plan.surface, isFloor), plan.seed, 0, isFloor),
    backdrop: readFinish(plan.backdrop, plankWidth(plan.backdrop, isFloor), plan.seed),
  };
  const objects: SceneObject[] =
    plan.place === undefined ? stageGround(plan, camera, flat, measureView(makeCamera(bare, canvas))) : [];
  const add = (object: Omit<SceneObject, 'material'>, finish: Finish, turnDeg: number): void => {
    // A set in a photographed place has no ground but its pedestal. The pedestal's boards are scaled together with
    // their grain.
    const groundWidth = (isFloor ? FLOOR_PLANK_WIDTH * FLOOR_SCALE : PLANK_WIDTH) / finish.scale;
    const width = plan.place === undefined ? SOLID_WIDTH : groundWidth;
    const settings = readFinish(finish, width, plan.seed, turnDeg, plan.place !== undefined && isFloor);
    const text = JSON.stringify(settings);
    // Props with the same finish share a material, which saves textures.
    const known = Object.keys(materials).find((name) => JSON.stringify(materials[name]) === text);
    const name = known ?? `finish-${Object.keys(materials).length}`;
    materials[name] = settings;
    objects.push({ ...object, material: name });
  };
  for (const staged of stagePedestal(plan)) add(staged.object, staged.finish, staged.finish.turnDeg);
  for (const prop of [...plan.backProps, ...plan.sideProps]) add(stageProp(prop, camera, flat), prop, 0);
  return { ...bare, materials, objects, gobo: stageGobo(plan.gobo, camera) };
}

/** Width of the boards of a set's floor or wall, in scene units. */
function plankWidth({ material, scale }: Finish, isFloor: boolean): number {
  const width = isFloor ? FLOOR_PLANK_WIDTH : PLANK_WIDTH;
  return material === 'wood' ? (width * SET_SCALE) / scale : width;
}

/**
 * Estimates the depth of furniture from its front. A chair is nearly as deep as it is wide; a sofa, car or sideboard is
 * about as deep as it is high.
 */
export function measureDepth({ width, height }: ScenePlan['subject']): number {
  return Math.min(0.85 * width, 1.1 * height, MAX_BODY_DEPTH);
}

/** Height of the stand's top above the ground, in scene units; 0 without a stand. */
export function measureStand({ pedestal }: Pick<ScenePlan, 'pedestal'>): number {
  return pedestal === null ? 0 : pedestal.levels.reduce((y, { height }) => y + height, pedestal.y);
}

function readFinish(
  { material, colors, scale, roughness, bump, wear, boardsDeg = 0, slabWidth }: Finish,
  plankWidth: number,
  seed: number,
  turnDeg = 0,
  isLaid = false,
): MaterialSettings {
  const [color = '#CCCCCC', secondColor] = colors;
  return {
    kind: material,
    color,
    ...(secondColor === undefined ? {} : { secondColor }),
    ...(material === 'terrazzo' && colors.length > 1 ? { chips: colors.slice(1) } : {}),
    scale,
    roughness,
    relief: bump,
    ...(wear === undefined ? {} : { wear }),
    plankWidth,
    ...(isLaid && material === 'wood' ? { plankLength: PLANK_LENGTH * plankWidth } : {}),
    ...(material === 'wood' ? { boardTurn: (turnDeg + boardsDeg) * RADIANS } : {}),
    ...(slabWidth === undefined ? {} : { slabs: laySlabs(slabWidth, seed, turnDeg) }),
    // Circular waves on water are centered near the product, so water has no texture offset.
    ...(material === 'water' ? {} : { cutFrom: chooseCut(plankWidth, seed) }),
  };
}

/** Joints run in front of the product and behind it, never below it, where they would look like its shadow. */
function laySlabs(width: number, seed: number, turnDeg: number): MaterialSettings['slabs'] {
  return { width, turn: turnDeg * RADIANS, from: [width * hashUnit(seed ^ 0x51ab), JOINT_IN_FRONT * width] };
}

/**
 * Chooses the texture offset of a set. Across the boards, the offset is a whole number of board widths, so that the
 * joints do not move.
 */
function chooseCut(plankWidth: number, seed: number): Vec3 {
  const pick = (salt: number): number => hashUnit(seed ^ salt);
  return [CUT_RANGE * pick(0x11a7), 0, plankWidth * Math.floor((CUT_RANGE / plankWidth) * pick(0x7e21))];
}

/** The part of the ground that is visible, including what the lens shift reveals, in scene units. */
interface GroundView {
  /** Half the width at a depth of 1. */
  readonly spread: number;
  /** Nearest visible z of the ground, always in front of the camera. */
  readonly nearZ: number;
  /** For a flat lay: side of a centered square of ground that covers the frame. */
  readonly facingSide: number;
}

function measureView({ tanX, tanY, shift, shiftX, eyeY, distance }: Camera): GroundView {
  const drop = tanY - shift;
  const spread = tanX + Math.abs(shiftX);
  return {
    spread,
    nearZ: drop > 0 ? Math.min(0.97, 1.02 - eyeY / (drop * distance)) * distance : Number.NEGATIVE_INFINITY,
    facingSide: 2.1 * distance * Math.max(spread, tanY + Math.abs(shift)),
  };
}

function stageGround(plan: ScenePlan, camera: Camera, flat: boolean, view: GroundView): SceneObject[] {
  const at: Vec3 = [0, 0, 0];
  const { relief, amplitude } = plan.surface;
  if (flat) {
    return [
      {
        shape: { kind: 'plane', size: Math.max(4, view.facingSide) },
        material: 'surface',
        at: [0, camera.eyeY, 0],
      },
    ];
  }
  if (relief === 'flat' || relief === 'ripples') {
    // No relief: a cyclorama is one surface with the wall, and water has its ripples in its material.
    return [];
  }
  const half = view.spread * (camera.distance - plan.backdrop.z) + 1;
  const plot: Plot = {
    fromX: -half,
    toX: half,
    fromZ: plan.backdrop.z + 0.05,
    toZ: Math.max(camera.distance * 0.6, view.nearZ),
  };
  if (relief === 'dune') {
    return [{ shape: { kind: 'dune', plot, amplitude, seed: plan.seed % 997 }, material: 'surface', at }];
  }
  const widest =
    plan.pedestal?.levels.reduce((most, { width, depth }) => Math.max(most, width, depth), 0) ?? 0;
  const flatRadius = Math.max(0.5, widest / 2 + 0.02, plan.subject.width * 0.6);
  // Folds run across the light and lean away from it, so that their far sides are in shade.
  const direction = plan.key.az > 0 ? -1.2 : 1.2;
  const shape: Shape = { kind: 'drape', plot, amplitude, direction, flatRadius, seed: plan.seed % 997 };
  return [{ shape, material: 'surface', at: [0, 0.005, 0] }];
}

function stageGobo(gobo: PlannedGobo, camera: Camera): Gobo | undefined {
  if (gobo.kind === 'none') return undefined;
  const {
    target: { u, v, z },
    tiltDeg,
    ...pattern
  } = gobo;
  return {
    ...pattern,
    ...('seed' in pattern && { seed: pattern.seed % LEAF_PATTERNS }),
    target: [
      unprojectX(camera, ((u + 1) / 2) * camera.width, z),
      unprojectY(camera, (1 - v) * camera.height, z),
      z,
    ],
    scale: (gobo.scale * camera.frameHeight) / GOBO_FRAME,
    turn: tiltDeg * RADIANS + ('directionDeg' in pattern ? pattern.directionDeg * RADIANS : 0),
  };
}
