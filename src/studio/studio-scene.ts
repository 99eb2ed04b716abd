/** The renderer's scene: everything as explicit numbers, without randomness or defaults. */
import type { Move, Vec3 } from './meshes/mesh.ts';
import type { Shape } from './meshes/shape.ts';
import type { PlaceName } from './places/place-names.ts';

/** Linear light, 0 to 1 for surfaces; lights may exceed 1. */
export type LinearColor = readonly [r: number, g: number, b: number];

export type MaterialKind =
  | 'plaster'
  | 'matte'
  | 'lacquer'
  | 'marble'
  | 'travertine'
  | 'wood'
  | 'concrete'
  | 'terrazzo'
  | 'linen'
  | 'sand'
  | 'stone'
  | 'satin'
  | 'water'
  | 'metal'
  | 'glass'
  | 'leaf'
  | 'petal';

export interface MaterialSettings {
  readonly kind: MaterialKind;
  /** `#rrggbb`. */
  readonly color: string;
  /** `#rrggbb`: veins, grain, tan bands, petal tips; each kind has its own default. */
  readonly secondColor?: string;
  /** `#rrggbb` each, for terrazzo: 1 to 5. */
  readonly chips?: readonly string[];
  /** Position in the solid texture that is moved to the origin, in world units. */
  readonly cutFrom?: Vec3;
  /** Texture frequency, 0.2 to 5; default 1. */
  readonly scale?: number;
  /** Factor on the material's relief, 0 to 2; default 1. */
  readonly relief?: number;
  /** 0.02 (mirror) to 1. */
  readonly roughness?: number;
  /** Reflectance at normal incidence, 0.02 to 0.2. */
  readonly f0?: number;
  /** Amount of smudges, stains and scratches, 0 to 1; default none. */
  readonly wear?: number;
  /** Width of a wooden plank, 0.2 to 2. */
  readonly plankWidth?: number;
  /** Length of the boards of a floor, in world units; default endless. */
  readonly plankLength?: number;
  /** Turn of boards about the vertical, in radians; at 0 they run along x. */
  readonly boardTurn?: number;
}

/** `at` is the position of the shape's foot (of its center for spheres and stones), `turn` its rotation. */
export interface SceneObject extends Move {
  readonly shape: Shape;
  /** A name in `StudioScene.materials`. */
  readonly material: string;
}

export interface Backdrop {
  /** Depth of the wall, -8 to -1. */
  readonly z: number;
  /** Radius of the curve from floor to wall; 0 is a corner. */
  readonly sweepRadius: number;
  readonly floor: string;
  readonly wall: string;
}

export interface KeyLight {
  /** Degrees from the camera's axis, negative is left; -180 to 180. */
  readonly azimuthDeg: number;
  /** Degrees above the horizon, 5 to 85. */
  readonly elevationDeg: number;
  /** Angular radius in degrees, 0.3 to 20, which determines the softness of shadows. */
  readonly radiusDeg: number;
  readonly color: LinearColor;
  /** Radiance of a white surface that faces the light at the product; 0.5 to 3. */
  readonly intensity: number;
  /** From the product to the lamp, in world units; default infinite, as for the sun. */
  readonly distance?: number | undefined;
}

export interface Environment {
  readonly bottom: LinearColor;
  readonly top: LinearColor;
  readonly front: LinearColor;
  readonly softbox?: { readonly direction: Vec3; readonly intensity: number };
}

interface GoboFrame {
  /** The point on the set at the center of the pattern. */
  readonly target: Vec3;
  /** Distance of the pattern from the surfaces; the penumbra width is 2 * distance * tan(radius). */
  readonly distance: number;
  /** Fraction of light that passes through closed parts of the pattern, 0 to 1. */
  readonly leak: number;
  readonly scale: number;
  /** Radians in the light's plane. */
  readonly turn: number;
}
export type Gobo =
  | (GoboFrame & {
      readonly kind: 'window';
      readonly columns: number;
      readonly rows: number;
      readonly paneWidth: number;
      readonly paneHeight: number;
      readonly bar: number;
    })
  | (GoboFrame & { readonly kind: 'palm'; readonly fronds: number; readonly seed: number })
  | (GoboFrame & {
      readonly kind: 'blinds';
      readonly period: number;
      readonly open: number;
      readonly width: number;
    })
  | (GoboFrame & {
      readonly kind: 'foliage';
      /** Length of a leaf. */
      readonly leafSize: number;
      /** Fraction of the light that leaves block, 0 to 1. */
      readonly density: number;
      readonly seed: number;
    })
  | (GoboFrame & { readonly kind: 'slit'; readonly width: number; readonly softness: number });

export interface CameraSettings {
  /** Half the visible height divided by the distance; 0.1 to 0.4. */
  readonly tan: number;
  /** Camera elevation above the foot, 0 to 35 degrees. */
  readonly elevationDeg: number;
  /** Maximum fraction of the frame's height and width for the product, 0.3 to 0.8. */
  readonly fillHeight: number;
  readonly fillWidth: number;
  /**
   * The foot's height above the frame's lower edge, as a fraction of the frame; default by the frame's aspect
   * ratio.
   */
  readonly baseline?: number;
  /** Lens shift: moves the whole picture right and up, as fractions of the frame; default none. */
  readonly offset?: { readonly x: number; readonly y: number } | undefined;
}

export interface Tone {
  /** Factor on all light before tone mapping, 0.4 to 2.5. */
  readonly exposure: number;
  /** Standard deviation as a fraction of white, 0 to 0.03; 0.006 is typical of a good camera. */
  readonly grain: number;
  /** Darkening of the corners as a fraction, 0 to 0.3. */
  readonly vignette: number;
  /** Factors on the channels of all light, 0.5 to 2, for white balance; default 1. */
  readonly balance?: readonly [number, number, number] | undefined;
}

export interface PlaceSetting {
  readonly name: PlaceName;
  /** Longitude in the middle of the picture, in degrees. */
  readonly headingDeg: number;
  /**
   * Range of depths behind the product, in world units, in which the set's ground fades into the place's own.
   */
  readonly groundFade?: readonly [from: number, to: number] | undefined;
  /** Height of the place's horizon above the lower edge, as a fraction of the picture's; default the camera's height. */
  readonly horizon?: number | undefined;
}

export interface StudioScene {
  readonly seed: number;
  /** `flat-lay` looks straight at the plane z = 0 on which the product lies. */
  readonly view: 'standing' | 'flat-lay';
  /**
   * Size of the product that the set was built around, and the offset of its box's center from x = 0 (default
   * 0), in world units.
   */
  readonly subject: { readonly width: number; readonly height: number; readonly shift?: number | undefined };
  /** Height of the ground or stand below the product. */
  readonly baseY: number;
  readonly camera: CameraSettings;
  readonly backdrop: Backdrop | undefined;
  /**
   * A photographed place, which shows behind the set. Its light replaces `environment` and the color of `key`, whose
   * `intensity` is then its light on level ground as a multiple of the soft light.
   */
  readonly place?: PlaceSetting | undefined;
  readonly materials: Readonly<Record<string, MaterialSettings>>;
  readonly objects: readonly SceneObject[];
  readonly key: KeyLight;
  readonly environment: Environment;
  readonly gobo: Gobo | undefined;
  /** Blur behind the product: circle of confusion at infinity, as a fraction of the frame's width, 0 to 0.01. */
  readonly depthOfField: number;
  readonly tone: Tone;
  /** Half the product's maximum thickness. */
  readonly productDepth: number;
  /** Depth of products whose silhouette does not reveal it, such as sofas; undefined for all others. */
  readonly bodyDepth?: number | undefined;
}
