/** Fits a set to a product: fills the slots for size, camera, colors and the light's side. Deterministic. */
import { clamp, createRandom, hashSeed, type Variant } from 'packshot-pixels';
import { type Finish, measureFrame, measureStand, type ScenePlan, scenePlanVersion } from 'packshot-studio';
import type { Part } from './color-wish.ts';
import { frameFlat, frameStanding, placeSubject, sizeSubject } from './fit-camera.ts';
import { fitFinish } from './fit-finish.ts';
import { fitLight } from './fit-light.ts';
import { eyeOver, fitPedestal, type Raised, showStand } from './fit-pedestal.ts';
import { fitProps, layOnRim, type Stage } from './fit-props.ts';
import { colorDistance, oklchFromHex } from './oklch.ts';
import { makePalette, type PaletteMode, type ScenePalette } from './palette.ts';
import { groundScale } from './product/real-scale.ts';
import type { FittedProduct } from './product-suit.ts';
import type { FinishSlot, SetFile } from './set-file.ts';
import type { Wanted } from './wanted.ts';

export interface SetRequest {
  readonly product: FittedProduct;
  readonly ratio: Variant;
  readonly mode: PaletteMode;
  /** What a prompt asked for; undefined without one. */
  readonly wanted?: Wanted | undefined;
  /** Brand colors, `#RRGGBB` in capitals, used exactly for wall and accent. */
  readonly brand?: { readonly wall: string; readonly accent: string | undefined } | undefined;
  readonly seed: number;
}

export function fitSet(set: SetFile, request: SetRequest): ScenePlan {
  const { product, ratio, wanted, seed } = request;
  const { features } = product;
  const palette = choosePalette(set, request);
  const isFlat = set.composition === 'flatlay';
  const isGilded = wanted?.colors.accent?.isMetal === true;
  const finishOf = (slot: FinishSlot, part: Part): Finish =>
    fitFinish(
      isGilded && slot.paint === 'accent' ? { material: 'metal', paint: 'accent' } : slot,
      part,
      palette,
    );
  const beside = [...set.beside, ...(wanted?.props.flatMap((group) => group.beside) ?? [])];
  const behind = [...set.behind, ...(wanted?.props.flatMap((group) => group.behind) ?? [])];
  const { subject, frame, framed } = frameSet(set, request, beside.length > 0);
  const pedestal = fitPedestal(set, { subject, frame, features, seed, finishOf });
  const baseY = measureStand({ pedestal });
  const camera = pedestal ? showStand(pedestal, { baseY, frame, camera: framed, subject }) : framed;
  const wallZ = isFlat ? 0 : -(set.wall.depth ?? wallDepth(set, { camera, frame, subject, baseY }));
  const stage: Stage = { subject, camera, frame, palette, wallZ, side: product.side, seed };
  const wall = finishOf(set.wall, 'wall');
  const floor = finishOf(set.floor, 'floor');
  // A sweep has no line between floor and wall, so both are of one stuff.
  const isOneStuff =
    wall.material === floor.material &&
    colorDistance(oklchFromHex(wall.colors[0]!), oklchFromHex(floor.colors[0]!)) < 0.06;
  const kind = set.wall.kind === 'cyclorama' && !isOneStuff ? 'wall' : set.wall.kind;
  const ground = isFlat ? floor : { ...floor, ...layGround(floor, product, stage) };
  const exact = (finish: Finish, hex: string | undefined): Finish =>
    hex === undefined ? finish : { ...finish, colors: [hex, ...finish.colors.slice(1)] };
  const brandWall = wanted?.colors.wall === undefined ? request.brand?.wall : undefined;
  const isPainted = (slot: FinishSlot) => typeof slot.paint === 'string' || wall.colors.length === 1;
  return {
    version: scenePlanVersion,
    seed,
    composition: set.composition,
    staging: product.staging,
    ratio,
    subject,
    surface: {
      ...(isFlat || (isOneStuff && isPainted(set.floor)) ? exact(ground, brandWall) : ground),
      relief: set.floor.relief,
      amplitude: set.floor.amplitude,
    },
    backdrop: {
      ...exact(isFlat ? floor : wall, brandWall),
      kind,
      z: wallZ,
      sweepRadius: kind === 'cyclorama' ? Math.min(0.9, -0.6 * wallZ) : 0,
    },
    pedestal,
    backProps: fitProps(isFlat ? layOnRim(behind) : behind, stage, finishOf, wanted),
    sideProps: fitProps(isFlat ? layOnRim(beside) : beside, stage, finishOf, wanted),
    palette: [
      brandWall ?? (isFlat ? floor : wall).colors[0]!,
      floor.colors[0]!,
      pedestal?.levels.at(-1)?.colors[0] ?? floor.colors[0]!,
      request.brand?.accent ?? finishOf({ material: 'matte' }, 'accent').colors[0]!,
    ],
    ...fitLight(set, stage, wanted),
    camera,
    dof: isFlat ? 0 : set.blur,
    // Grain and vignette are too weak to be noticed.
    tone: { exposure: palette.wall.l < 0.5 ? 1.06 : 1, grain: 0.005, vignette: 0.12 },
  };
}

/** The product's size and place in the picture, before a stand raises it. */
function frameSet(
  { composition, camera: { elevDeg: band, tan }, stand }: SetFile,
  { product, ratio }: SetRequest,
  hasProps: boolean,
) {
  const { features, suit, lengthCm, elevDeg } = product;
  const isFlat = composition === 'flatlay';
  const hangs = isFlat && (suit === 'hung' || suit === 'worn');
  const sharesFrame = stand !== undefined || hasProps;
  const framed = isFlat
    ? frameFlat({ ratio, features }, hangs, tan)
    : frameStanding({ suit, ratio, features, lengthCm, elevDeg, band, tan, sharesFrame });
  const size = sizeSubject(features.aspect);
  const frame = measureFrame({ ratio, subject: size, camera: framed });
  const placed = placeSubject(size, frame, stand ? { ...features, cropped: {} } : features);
  const lies = !isFlat && product.lies === true;
  return { framed, frame, subject: { ...placed, ...(hangs && { hangs }), ...(lies && { lies }) } };
}

/** Water, folds and flat lays fill the picture, so a color named for the ground also tints the wall. */
function choosePalette(set: SetFile, { product, mode, wanted, brand, seed }: SetRequest): ScenePalette {
  const { mainColor: main, rimColor: rim } = product.features;
  return makePalette(
    {
      mode,
      product: { main, rim },
      asked: wanted?.colors ?? {},
      mood: wanted?.mood,
      brand: brand && {
        wall: oklchFromHex(brand.wall),
        accent: brand.accent === undefined ? undefined : oklchFromHex(brand.accent),
      },
    },
    createRandom(hashSeed(seed, set.id, mode)),
  );
}

/** Preferred height of the line between floor and wall above the product's foot, in heights of the product. */
const preferredLine = 0.24;

/** The line between floor and wall crosses neither the product's foot nor its upper half. */
function wallDepth({ wall }: SetFile, raised: Raised): number {
  const [nearest, farthest] = { horizon: [3.2, 6], cyclorama: [2.8, 4.6], wall: [2.2, 4.6] }[wall.kind];
  const { baseY, frame, subject } = raised;
  const line = preferredLine * subject.height + baseY;
  const rise = eyeOver(raised) + baseY - line;
  const depth = rise > 0 ? (line * frame.distance) / rise : farthest!;
  return Math.round(clamp(depth, nearest!, farthest!) * 10) / 10;
}

/** Boards and veins in their real size; boards run away from the camera, slightly turned. */
function layGround(
  { material, scale }: Finish,
  { lengthCm, suit }: FittedProduct,
  { subject, camera, seed }: Stage,
): Partial<Finish> {
  const isFloor = suit === 'large';
  const isAcross = isFloor && camera.elevDeg < 8;
  const boards = createRandom(hashSeed(seed, 'boards')).between(isFloor ? 86 : 80, 90);
  return {
    scale: clamp(scale * groundScale(material, subject, { lengthCm, isFloor }), 0.2, 4),
    ...(material === 'wood' ? { boardsDeg: boards - (isAcross ? 88 : 0) } : {}),
  };
}
