/** Fills a light slot: its side, the tint of the light that the walls reflect, and the place of its pattern. */
import { clamp, hashSeed } from 'packshot-pixels';
import type { Frame, Gobo, ScenePlan } from 'packshot-studio';
import { hexFromOklch, type Oklch } from './oklch.ts';
import type { ScenePalette } from './palette.ts';
import type { LightSlot, SetFile } from './set-file.ts';
import type { Wanted } from './wanted.ts';

type Rgb = [number, number, number];

const keyColors: Readonly<Record<LightSlot['warmth'], { readonly color: Rgb; readonly env: Rgb }>> = {
  day: { color: [1, 0.955, 0.89], env: [0.97, 1, 1.04] },
  warm: { color: [1, 0.87, 0.7], env: [0.94, 0.98, 1.06] },
  gold: { color: [1, 0.81, 0.58], env: [0.92, 0.97, 1.08] },
  cool: { color: [0.94, 0.97, 1], env: [0.97, 1, 1.05] },
};

interface LitStage {
  readonly palette: ScenePalette;
  readonly frame: Frame;
  readonly subject: ScenePlan['subject'];
  readonly wallZ: number;
  readonly side: -1 | 1;
  readonly seed: number;
}

/** Radius in degrees of a light whose shadow has no edge: where a product touches the ground is not known. */
const softbox = 9;

export function fitLight(
  { light, composition }: SetFile,
  stage: LitStage,
  wanted: Wanted | undefined,
): Pick<ScenePlan, 'key' | 'env' | 'gobo'> {
  const { palette, side, subject } = stage;
  const warmth = fitWarmth(light.warmth, wanted?.warmth, palette.wall);
  const { color, env } = keyColors[warmth];
  const isDark = palette.wall.l < 0.5;
  const pattern = wanted?.pattern ?? light.pattern;
  // Leaves and windows need a small sun for a sharp edge.
  const isHard = pattern !== 'none' && pattern !== 'slit';
  const isChanged = pattern !== light.pattern;
  const own = subject.lies ? Math.max(softbox, light.angularRadius) : light.angularRadius;
  const tint = skyTint(palette.wall, light.angularRadius > 12 ? 1 / 9 : 1 / 3);
  const scaled = (base: number): Rgb =>
    [0, 1, 2].map((c) => clamp(base * light.fill * tint[c]! * env[c]!, 0, 1)) as Rgb;
  return {
    key: {
      az: -side * light.az,
      el: light.el,
      angularRadius: isChanged ? (isHard ? 1.3 : Math.max(3, own)) : own,
      color,
      // Dark sets absorb light.
      intensity: isDark ? Math.max(1.9, light.intensity) : light.intensity,
      ...(light.distance !== undefined && { distance: isChanged && isHard ? 4.6 : light.distance }),
    },
    env: {
      top: scaled(0.5),
      bottom: scaled(0.3),
      front: scaled(0.08),
      softbox: { direction: [0.55 * side, 0.75, 0.36], intensity: isDark ? 2.6 : light.softbox },
    },
    gobo: castPattern(pattern, stage, composition === 'flatlay'),
  };
}

/** Golden light turns sage and mint to a sickly yellow-green. */
function fitWarmth(own: LightSlot['warmth'], asked: Wanted['warmth'], { c, h }: Oklch): LightSlot['warmth'] {
  if (asked === 'cool') return 'cool';
  if (asked === 'warm') return own === 'gold' ? 'gold' : 'warm';
  return own === 'gold' && c > 0.02 && h > 95 && h < 180 ? 'day' : own;
}

/** Color of the light that walls reflect; the mean of its channels is 1. */
function skyTint(wall: Oklch, share: number): Rgb {
  const value = Number.parseInt(hexFromOklch({ l: 0.8, c: Math.min(0.08, wall.c), h: wall.h }).slice(1), 16);
  const channels = [value >> 16, (value >> 8) & 255, value & 255];
  const mean = channels.reduce((sum, channel) => sum + channel, 0) / 3;
  return channels.map((channel) => 1 + share * (channel / mean - 1)) as Rgb;
}

/**
 * Leaf shadows fall on the wall beside the product, on the side of its own shadow; windows and blinds are so large that
 * they cover wall and product. All patterns are pale, because the product keeps the light of its photo.
 */
function castPattern(kind: Gobo['kind'], { side, wallZ, seed }: LitStage, isFlat: boolean): Gobo {
  const isLeafy = kind === 'palm' || kind === 'foliage';
  const z = isFlat ? 0 : Math.max(wallZ + 0.1, isLeafy ? Math.max(wallZ, -4.6) + 0.45 : -1.2);
  const target = {
    u: isFlat ? 0 : -side * (isLeafy ? 0.22 : 0.15),
    v: isFlat ? 0.5 : isLeafy ? 0.66 : 0.58,
    z,
  };
  const cast = (distance: number, scale: number, tiltDeg: number, leak = 0.5) => ({
    target,
    distance: isFlat ? Math.max(distance, 3) : distance,
    scale,
    leak,
    tiltDeg,
  });
  const own = hashSeed(seed, 'pattern');
  switch (kind) {
    case 'none':
      return { kind };
    case 'window':
      // The panes are so large that a product fits into the light of one.
      return {
        kind,
        ...cast(2.2, 1.72, -side * 6),
        columns: 2,
        rows: 3,
        paneWidth: 0.78,
        paneHeight: 0.73,
        bar: 0.08,
      };
    case 'blinds':
      return { kind, ...cast(1.8, 1.2, -side * 7, 0.4), period: 0.26, open: 0.6 };
    case 'palm':
      return { kind, ...cast(1, 0.8, 0, 0.4), fronds: 3, directionDeg: -side * 20, seed: own };
    case 'foliage':
      return { kind, ...cast(1.3, 1, 0, 0.45), leafSize: 0.17, density: 0.4, seed: own };
    case 'slit':
      return { kind, ...cast(2.5, 1, -side * 28, 0.3), width: 1, softness: 0.12 };
  }
}
