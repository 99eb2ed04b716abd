/** How much of the key light a gobo lets reach the product's foot: a shadow on a foot already in shade grounds nothing. */
import type { Gobo, ScenePlan } from '../scene-plan.ts';
import type { BuiltStage } from './stage.ts';

type Ground = Pick<BuiltStage, 'frame' | 'camera' | 'baseY' | 'subject'>;

type Vec3 = readonly [number, number, number];

const radians = Math.PI / 180;
/** Patterns are given for a frame this high, scene units. */
const patternFrame = 1.5;

/** Share of the foot line that the key reaches, 0 to 1; leaf patterns have gaps everywhere and count as open. */
export function measureFootLight(gobo: Gobo, key: ScenePlan['key'], stage: Ground): number {
  if (gobo.kind === 'none' || gobo.kind === 'palm' || gobo.kind === 'foliage') return 1;
  const toPattern = projectOnto(gobo, key, stage);
  const offsets = [-0.35, -0.18, 0, 0.18, 0.35];
  // A little before the foot, where its contact shadow is seen.
  const open = offsets.filter((offset) =>
    isOpen(gobo, toPattern([offset * stage.subject.width, stage.baseY + 0.01, 0.08])),
  );
  return open.length / offsets.length;
}

function isOpen(gobo: Gobo, [a, b]: readonly [number, number]): boolean {
  switch (gobo.kind) {
    case 'window': {
      const { columns, rows, paneWidth, paneHeight, bar } = gobo;
      const x = a / paneWidth + columns / 2;
      const y = b / paneHeight + rows / 2;
      if (x < 0 || x > columns || y < 0 || y > rows) return false;
      const toBar = (share: number, pane: number): number =>
        (0.5 - Math.abs((share % 1) - 0.5)) * pane - bar / 2;
      return toBar(x, paneWidth) > 0 && toBar(y, paneHeight) > 0;
    }
    case 'blinds':
      return Math.abs(b / gobo.period - Math.round(b / gobo.period)) < gobo.open / 2;
    case 'slit':
      return Math.abs(a) < gobo.width / 2;
    default:
      return true;
  }
}

/** Into the light's own plane: `a` level, `b` upright, turned and scaled as the pattern is (scenes, section 3.3). */
function projectOnto(
  { target, scale, tiltDeg }: Exclude<Gobo, { kind: 'none' }>,
  { az, el }: ScenePlan['key'],
  { frame, camera, baseY }: Ground,
): (point: Vec3) => readonly [number, number] {
  const eyeY = baseY + Math.tan(camera.elevDeg * radians) * frame.distance;
  const farther = (frame.distance - target.z) / frame.distance;
  const inPlane = baseY + (target.v - camera.baseline) * frame.height;
  const at: Vec3 = [
    (target.u * frame.aspect * frame.height * farther) / 2,
    eyeY + (inPlane - eyeY) * farther,
    target.z,
  ];
  const [sinAz, cosAz] = [Math.sin(az * radians), Math.cos(az * radians)];
  const [sinEl, cosEl] = [Math.sin(el * radians), Math.cos(el * radians)];
  const size = (scale * frame.height) / patternFrame;
  const [sin, cos] = [Math.sin(tiltDeg * radians) / size, Math.cos(tiltDeg * radians) / size];
  return ([x, y, z]) => {
    const [dx, dy, dz] = [x - at[0], y - at[1], z - at[2]];
    const level = dx * cosAz - dz * sinAz;
    const upright = -dx * sinEl * sinAz + dy * cosEl - dz * sinEl * cosAz;
    return [level * cos + upright * sin, upright * cos - level * sin];
  };
}
