/** Framed prints on the wall above wide furniture: in a tall frame, half of the picture would otherwise be empty. */
import type { Camera, Finish, Frame, Prop, ScenePlan } from '../../studio/scene-plan.ts';
import type { SeededRandom } from '../seeded-random.ts';

interface PictureWish {
  readonly frame: Frame;
  readonly camera: Camera;
  readonly subject: ScenePlan['subject'];
  readonly wallZ: number;
  /** Color of the print's shapes, `#RRGGBB`. */
  readonly ink: string;
}

/** Prints are hung above furniture of at least this aspect ratio (width to height): above sofas, not above chairs. */
const picturesFrom = 1.5;
/** Prints are hung only if at least this fraction of the frame's height is above the furniture. */
const emptyFrom = 0.48;
/**
 * Minimum height of a print above the floor, as a fraction of the frame's height. From a high viewpoint, only the foot
 * of the wall, or the floor, appears right above the furniture, so no print is hung.
 */
const lowest = 0.15;
/** Gap above the furniture and upper limit of the prints, as fractions of the frame's height. */
const gap = 0.055;
const highest = 0.86;
/**
 * Width of a print, and distance between the middles of two prints (0: there is only one), in widths of the furniture.
 * `format` is the print's height divided by its width.
 */
interface Hanging {
  readonly width: number;
  readonly apart: number;
  readonly format: number;
}

/**
 * Usually one print in landscape format, or two small ones. Larger prints, or a single upright one, would compete with
 * the furniture. A tall frame leaves so much of the wall empty that it gets one or two prints in portrait format;
 * larger ones would dwarf the sofa.
 */
const hangings: Readonly<Record<'usual' | 'tall', readonly [Hanging, ...Hanging[]]>> = {
  usual: [
    { width: 0.4, apart: 0, format: 0.7 },
    { width: 0.2, apart: 0.26, format: 1.25 },
  ],
  tall: [
    { width: 0.34, apart: 0, format: 1.25 },
    { width: 0.26, apart: 0.33, format: 1.35 },
  ],
};
const tallBelow = 0.6;
/** Widths of the picture frame's bar and of the paper's margin, as fractions of the print's width. */
const bar = 0.022;
const margin = 0.13;
/** Thickness of the picture frame, and how far each layer stands out from the one behind it, in scene units. */
const thickness = 0.03;
const relief = 0.001;
/** Thickness of paper and print, as a fraction of the scene's frame height: as thin as a prop may be. */
const thin = 0.005;
const frameColors = ['#3B2F28', '#A98560', '#26262A'] as const;
const paperColor = '#F1EDE5';
/** Sky, sun and far land of a print. */
const sky = '#E3DCCF';
const sunColor = '#D9C4A6';
const farColor = '#BDB4A6';

/** A rectangle or disc of a print; position and size are in widths of the print, from its lower left corner. */
interface Patch {
  readonly shape: 'box' | 'disc';
  readonly color: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function hangPictures(wish: PictureWish, random: SeededRandom): Prop[] {
  const { frame, camera, subject } = wish;
  const top = camera.baseline + subject.height / frame.height;
  const isEmpty = subject.width / subject.height >= picturesFrom && 1 - top >= emptyFrom;
  if (!isEmpty || onWall(wish, subject.height + gap * frame.height) < lowest * frame.height) return [];
  const { width, apart, format } = random.pick(hangings[frame.aspect < tallBelow ? 'tall' : 'usual']);
  const wood = random.pick(frameColors);
  const across = Math.min(width * subject.width, ((highest - top - gap) * frame.height) / format);
  const middles = apart === 0 ? [0] : [-apart / 2, apart / 2];
  const prints = random.shuffle(drawPrints(wish.ink, format));
  return middles.flatMap((middle, number) =>
    [...layFrame(wood, format), ...prints[number]!].map((patch, layer) =>
      hang(wish, patch, { layer, across, middle: (middle * across) / width }),
    ),
  );
}

/**
 * Height, in scene units, of the point on the wall that is seen right behind a point `line` above the furniture's foot.
 */
function onWall({ frame, camera, wallZ }: PictureWish, line: number): number {
  const eye = Math.tan((camera.elevDeg * Math.PI) / 180) * frame.distance;
  return eye + ((line - eye) * (frame.distance - wallZ)) / frame.distance;
}

function layFrame(wood: string, format: number): Patch[] {
  const paper = { x: bar, y: bar, width: 1 - 2 * bar, height: format - 2 * bar };
  return [
    { shape: 'box', color: wood, x: 0, y: 0, width: 1, height: format },
    { shape: 'box', color: paperColor, ...paper },
  ];
}

/** Landscapes: land below a wide sky, some with a sun or with farther land. Layers are listed from back to front. */
function drawPrints(ink: string, format: number): Patch[][] {
  const tall = format - 2 * margin;
  const field = (color: string, share: number): Patch => {
    return { shape: 'box', color, x: margin, y: margin, width: 1 - 2 * margin, height: share * tall };
  };
  const size = 0.34 * Math.min(1, format);
  const sun = (x: number, share: number): Patch => {
    return {
      shape: 'disc',
      color: sunColor,
      x: x - size / 2,
      y: margin + share * tall - size / 2,
      width: size,
      height: size,
    };
  };
  return [
    [field(sky, 1), field(ink, 0.36)],
    [field(sky, 1), sun(0.6, 0.42), field(ink, 0.4)],
    [field(sky, 1), field(farColor, 0.5), field(ink, 0.26)],
    [field(sky, 1), sun(0.36, 0.74), field(farColor, 0.34)],
  ];
}

interface Layer {
  /** 0 for the frame, 1 for the paper, then the print's own layers. */
  readonly layer: number;
  /** Width of the print and position of its middle as they appear at the furniture's depth, in scene units. */
  readonly across: number;
  readonly middle: number;
}

function hang(wish: PictureWish, patch: Patch, { layer, across, middle }: Layer): Prop {
  const { frame, subject, wallZ } = wish;
  const depth = layer === 0 ? thickness : thin * frame.height;
  const z = wallZ + thickness + layer * relief - depth / 2;
  const away = (frame.distance - wallZ) / frame.distance;
  const x = middle + (patch.x + patch.width / 2 - 0.5) * across;
  const finish: Finish = { material: 'matte', colors: [patch.color], scale: 1, roughness: 0.6, bump: 0 };
  return {
    ...finish,
    shape: patch.shape,
    u: (2 * x * away * frame.distance) / (frame.height * frame.aspect * (frame.distance - z)),
    y: onWall(wish, subject.height + gap * frame.height + patch.y * across) / frame.height,
    z,
    width: (patch.width * across * away) / frame.height,
    height: (patch.height * across * away) / frame.height,
    depth: depth / frame.height,
    bevel: 0.002,
    turnDeg: 0,
    leanDeg: 0,
    tipDeg: 0,
    seed: 1,
  };
}
