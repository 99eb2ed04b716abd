/** Converts the pedestal and the props of a scene plan to the renderer's objects. */
import { type Camera, unprojectX, unprojectY } from './camera.ts';
import type { Vec3 } from './meshes/mesh.ts';
import type { PedestalLevel, Prop, ScenePlan } from './scene-plan.ts';
import type { SceneObject } from './studio-scene.ts';

/** Height of a stone's flat top above the stone's center, and depth to which the center is sunk, both in radii. */
const STONE_TOP = 0.55;
const STONE_SUNK = 0.5;
const RADIANS = Math.PI / 180;

export function stagePedestal(
  plan: ScenePlan,
): { object: Omit<SceneObject, 'material'>; finish: PedestalLevel }[] {
  let y = plan.pedestal?.y ?? 0;
  return (plan.pedestal?.levels ?? []).map((level) => {
    const object = stageLevel(level, y);
    y += level.height;
    return { object, finish: level };
  });
}

function stageLevel(level: PedestalLevel, y: number): Omit<SceneObject, 'material'> {
  const { width, height, depth, bevel, x, z } = level;
  const turn: Vec3 = [0, level.turnDeg * RADIANS, 0];
  switch (level.shape) {
    case 'cylinder':
      return { shape: { kind: 'cylinder', radius: width / 2, height, bevel }, at: [x, y, z], turn };
    case 'box':
      return { shape: { kind: 'box', width, height, depth, bevel }, at: [x, y, z], turn };
    case 'stone': {
      const half = height / (STONE_TOP + STONE_SUNK);
      return {
        shape: { kind: 'stone', radius: 1, seed: level.seed % 997, topY: STONE_TOP },
        at: [x, y + height - STONE_TOP * half, z],
        scale: [width / 2, half, depth / 2],
        turn,
      };
    }
  }
}

export function stageProp(prop: Prop, camera: Camera, flat: boolean): Omit<SceneObject, 'material'> {
  const hf = camera.frameHeight;
  const { z } = prop;
  const column = ((prop.u + 1) / 2) * camera.width;
  // The ground of a flat lay is the vertical plane z = 0, so `prop.y` is a height in the frame, not above the ground.
  const y = flat ? unprojectY(camera, camera.height * (1 - prop.y), 0) : prop.y * hf;
  const at: Vec3 = [unprojectX(camera, column, z), y, z];
  const turn: Vec3 = [prop.tipDeg * RADIANS, prop.turnDeg * RADIANS, -prop.leanDeg * RADIANS];
  return {
    ...shapeProp(prop, prop.width * hf, prop.height * hf, prop.depth * hf, at, flat),
    turn: lay(prop, turn, flat),
  };
}

/** Returns the rotation of a prop. Petals are modeled on a vertical plane, so they are rotated to lie on a floor. */
function lay(prop: Prop, turn: Vec3, flat: boolean): Vec3 {
  return prop.shape === 'petals' && !flat ? [turn[0] - Math.PI / 2, turn[1], turn[2]] : turn;
}

function shapeProp(
  prop: Prop,
  width: number,
  height: number,
  depth: number,
  at: Vec3,
  flat: boolean,
): Pick<SceneObject, 'shape' | 'at' | 'scale'> {
  const [x, y, z] = at;
  const seed = prop.seed % 997;
  switch (prop.shape) {
    case 'box':
      return { shape: { kind: 'box', width, height, depth, bevel: prop.bevel }, at };
    case 'cylinder':
      return { shape: { kind: 'cylinder', radius: width / 2, height, bevel: prop.bevel }, at };
    case 'disc':
      return { shape: { kind: 'disc', radius: width / 2, depth }, at };
    case 'panel':
      return { shape: { kind: 'panel', width, height, depth }, at };
    case 'arch':
      // An arch's thickness is an eighth of its width, as in the set that was used for tuning.
      return { shape: { kind: 'arch', width, height, thickness: width / 8, depth }, at };
    case 'sphere':
      return { shape: { kind: 'sphere', radius: width / 2 }, at: [x, y + width / 2, z] };
    case 'pot':
      return { shape: { kind: 'pot', radius: width / 2.5, height, flare: 1.25 }, at };
    case 'vase':
      return { shape: { kind: 'vase', radius: width / 2, height }, at };
    case 'stone':
      return {
        shape: { kind: 'stone', radius: 1, seed },
        at: [x, y + height * 0.42, z],
        scale: [width / 2, height / 2, depth / 2],
      };
    case 'branch':
      return { shape: { kind: 'branch', length: height, leafWidth: width / height, seed }, at };
    case 'olive':
    case 'palm':
    case 'monstera':
    case 'pampas':
      return { shape: { kind: prop.shape, length: height, seed }, at };
    case 'petals':
      return {
        shape: { kind: 'petals', count: 11, size: 0.07, spread: width / 2, seed },
        at: flat ? [x, y + width / 2, z] : at,
      };
    case 'curtain':
      return {
        // With 2.6 folds per scene unit, a curtain looks like heavy cloth.
        shape: {
          kind: 'curtain',
          fromX: x - width / 2,
          toX: x + width / 2,
          z: 0,
          height,
          frequency: 2.6,
          amplitude: depth,
          seed,
        },
        at: [0, y, z],
      };
  }
}
