/** What the renderer needs to draw a set: everything in numbers, nothing left to chance or to defaults. */
import type { Move, Vec3 } from './meshes/mesh.ts';
import type { Shape } from './meshes/shape.ts';

/** Linear light, 0 to 1 for surfaces, above 1 allowed for lights. */
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
  /** `#rrggbb`: veins, grain, tan bands, petal tips; each kind has its own where it is left out. */
  readonly secondColor?: string;
  /** `#rrggbb` each, for terrazzo: 1 to 5. */
  readonly chips?: readonly string[];
  /** From which part of the block the piece is cut, world units: the pattern there is moved to the origin. */
  readonly cutFrom?: Vec3;
  /** Texture frequency, 0.2 to 5; 1 unless told. */
  readonly scale?: number;
  /** Factor on the material's relief, 0 to 2; 1 unless told. */
  readonly relief?: number;
  /** 0.02 (mirror) to 1. */
  readonly roughness?: number;
  /** Reflectance seen head-on, 0.02 to 0.2. */
  readonly f0?: number;
  /** Width of a wooden plank, 0.2 to 2. */
  readonly plankWidth?: number;
}

/** Where its shape's foot stands (of spheres and stones: the centre), and how it is turned. */
export interface SceneObject extends Move {
  readonly shape: Shape;
  /** A name in `StudioScene.materials`. */
  readonly material: string;
}

export interface Backdrop {
  /** Where the wall stands, -8 to -1. */
  readonly z: number;
  /** Radius of the sweep from floor to wall; 0 is a corner. */
  readonly sweepRadius: number;
  readonly floor: string;
  readonly wall: string;
}

export interface KeyLight {
  /** Degrees from the camera's axis, negative is left; -180 to 180. */
  readonly azimuthDeg: number;
  /** Degrees above the horizon, 5 to 85. */
  readonly elevationDeg: number;
  /** Angular radius in degrees, 0.3 to 20: how soft the shadows are. */
  readonly radiusDeg: number;
  readonly color: LinearColor;
  /** Radiance of a white surface facing the light; 0.5 to 3. */
  readonly intensity: number;
}

export interface Environment {
  readonly bottom: LinearColor;
  readonly top: LinearColor;
  readonly front: LinearColor;
  readonly softbox?: { readonly direction: Vec3; readonly intensity: number };
}

interface GoboFrame {
  /** The point on the set that the pattern's centre falls on. */
  readonly target: Vec3;
  /** Distance of the pattern from the surfaces: penumbra width is 2 * distance * tan(radius). */
  readonly distance: number;
  /** Share of light that passes where the pattern is closed, 0 to 1. */
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
      /** Share of the light that leaves block, 0 to 1. */
      readonly density: number;
      readonly seed: number;
    })
  | (GoboFrame & { readonly kind: 'slit'; readonly width: number; readonly softness: number });

export interface CameraSettings {
  /** Half the visible height over the distance; 0.1 to 0.4. */
  readonly tan: number;
  /** Degrees that the camera looks down on the foot, 0 to 35. */
  readonly elevationDeg: number;
  /** Largest share of the frame's height and width that the product may take, 0.3 to 0.8. */
  readonly fillHeight: number;
  readonly fillWidth: number;
  /** The foot's height above the frame's lower edge as a share of the frame; by the frame's shape unless told. */
  readonly baseline?: number;
  /** How far the lens moves all that it sees to the right and upward, shares of the frame; not at all where left out. */
  readonly offset?: { readonly x: number; readonly y: number } | undefined;
}

export interface Tone {
  /** Factor on all light before the tone curve, 0.4 to 2.5. */
  readonly exposure: number;
  /** Standard deviation as a share of white, 0 to 0.03; 0.006 is a good camera's. */
  readonly grain: number;
  /** Darkening of the corners as a share, 0 to 0.3. */
  readonly vignette: number;
}

export interface StudioScene {
  readonly seed: number;
  /** `flat-lay` looks straight at the plane z = 0 on which the product lies. */
  readonly view: 'standing' | 'flat-lay';
  /** Size of the product that the set was built around, and its box's middle right of x = 0 (0 unless told), world units. */
  readonly subject: { readonly width: number; readonly height: number; readonly shift?: number | undefined };
  /** Height of what the product stands on. */
  readonly baseY: number;
  readonly camera: CameraSettings;
  readonly backdrop: Backdrop | undefined;
  readonly materials: Readonly<Record<string, MaterialSettings>>;
  readonly objects: readonly SceneObject[];
  readonly key: KeyLight;
  readonly environment: Environment;
  readonly gobo: Gobo | undefined;
  /** Blur behind the product: circle of confusion at infinity as a share of the frame's width, 0 to 0.01. */
  readonly depthOfField: number;
  readonly tone: Tone;
  /** Half the product's largest thickness. */
  readonly productDepth: number;
}
