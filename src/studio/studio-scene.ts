/** The renderer's scene, in explicit numbers. Nothing is left for the renderer to choose at random. */
import type { Move, Vec3 } from './meshes/mesh.ts';
import type { Shape } from './meshes/shape.ts';
import type { PlaceName } from './places/place-names.ts';

/** Linear RGB: 0 to 1 for surfaces; lights may exceed 1. */
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

export interface SlabSizes {
  /** In world units. */
  readonly width: number;
  /** Rotation around the vertical axis, in radians. */
  readonly turn: number;
  /** Position of a corner. */
  readonly from: readonly [x: number, z: number];
}

export interface MaterialSettings {
  readonly kind: MaterialKind;
  /** Main color, `#rrggbb`. */
  readonly color: string;
  /** Color of veins, grain, tan bands or petal tips, `#rrggbb`; each kind has its own default. */
  readonly secondColor?: string;
  /** Colors of the chips in terrazzo, 1 to 5, each `#rrggbb`. */
  readonly chips?: readonly string[];
  /** The point of the solid (three-dimensional) texture that lies at the origin of the set, in world units. */
  readonly cutFrom?: Vec3;
  /** Texture frequency, 0.2 to 5; default 1. */
  readonly scale?: number;
  /** Multiplier for the material's relief, 0 to 2; default 1. */
  readonly relief?: number;
  /** Microfacet roughness, 0.02 (mirror) to 1; each kind has its own default. */
  readonly roughness?: number;
  /** Reflectance at normal incidence, 0.02 to 0.2. */
  readonly f0?: number;
  /** Amount of smudges, stains and scratches, 0 to 1; default none. */
  readonly wear?: number;
  /** Width of a wooden board, in world units. */
  readonly plankWidth?: number;
  /** Length of the boards of a floor, in world units; by default boards are endless. */
  readonly plankLength?: number;
  /** Rotation of boards around the vertical axis, in radians; at 0 boards run along x. */
  readonly boardTurn?: number;
  /** Slabs of stone, laid with joints; by default the ground is one piece. */
  readonly slabs?: SlabSizes | undefined;
}

/**
 * A shape placed in the scene. `at` is the position of the shape's foot (of its center for spheres and stones), `turn`
 * the shape's rotation.
 */
export interface SceneObject extends Move {
  readonly shape: Shape;
  /** A name in `StudioScene.materials`. */
  readonly material: string;
}

export interface Backdrop {
  /** Depth of the wall, -16 to 0. */
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
  /** Angular radius of the light in degrees, 0.3 to 30; a larger light casts softer shadows. */
  readonly radiusDeg: number;
  readonly color: LinearColor;
  /** Radiance that a white surface at the product has if it faces the light; 0 to 4. */
  readonly intensity: number;
  /** Distance from the product to the lamp, in world units; by default infinite, as for the sun. */
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
  /** Rotation of the pattern in its own plane, in radians. */
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
  /** Half the visible height divided by the distance; 0.05 to 0.6. */
  readonly tan: number;
  /** Camera elevation above the foot, 0 to 35 degrees. */
  readonly elevationDeg: number;
  /** Maximum fractions of the frame's height and width that the product may take, 0.05 to 0.9. */
  readonly fillHeight: number;
  readonly fillWidth: number;
  /**
   * Height of the product's foot above the frame's lower edge, as a fraction of the frame's height; the default depends
   * on the frame's aspect ratio.
   */
  readonly baseline?: number;
  /**
   * Edge of the frame that the product touches. In the view `flat-lay`, the product is otherwise centered; a standing
   * product touches only the upper edge.
   */
  readonly flushWith?: 'top' | 'bottom' | undefined;
  /** Lens shift: moves the whole picture right and up, as fractions of the frame; default none. */
  readonly offset?: { readonly x: number; readonly y: number } | undefined;
}

export interface Tone {
  /** Multiplier for all light before tone mapping, 0.4 to 2.5. */
  readonly exposure: number;
  /** Standard deviation of film grain, as a fraction of white, 0 to 0.03; 0.006 is typical of a good camera. */
  readonly grain: number;
  /** Darkening of the corners as a fraction, 0 to 0.3. */
  readonly vignette: number;
  /** White balance: multipliers for the channels of all light, 0.5 to 2; default 1. */
  readonly balance?: readonly [number, number, number] | undefined;
}

export interface PlaceSetting {
  readonly name: PlaceName;
  /** Longitude of the panorama that is in the middle of the picture, in degrees. */
  readonly headingDeg: number;
  /** Whether the panorama is mirrored around that longitude, so that its light comes from the other side. */
  readonly isMirrored?: boolean | undefined;
  /** Range of distances behind the product, in world units, over which the set's ground fades into the backdrop. */
  readonly groundFade?: readonly [from: number, to: number] | undefined;
  /**
   * Height of the place's horizon above the picture's lower edge, as a fraction of the picture's height; by default,
   * the camera's height determines it.
   */
  readonly horizon?: number | undefined;
}

export interface StudioScene {
  readonly seed: number;
  /** For `flat-lay`, the camera looks straight at the plane z = 0, on which the product lies. */
  readonly view: 'standing' | 'flat-lay';
  /**
   * Size of the product for which the set was built, and horizontal offset of that product's box: where its center is,
   * relative to x = 0 (default 0). In world units.
   */
  readonly subject: { readonly width: number; readonly height: number; readonly shift?: number | undefined };
  /** Height of the surface on which the product stands, in world units. */
  readonly baseY: number;
  readonly camera: CameraSettings;
  readonly backdrop: Backdrop | undefined;
  /**
   * A photographed place, which is visible behind the set. Its light replaces `environment`, and it determines the
   * color of `key`. The `intensity` of `key` is then the key light on level ground as a multiple of the place's soft
   * light.
   */
  readonly place?: PlaceSetting | undefined;
  readonly materials: Readonly<Record<string, MaterialSettings>>;
  readonly objects: readonly SceneObject[];
  readonly key: KeyLight;
  readonly environment: Environment;
  readonly gobo: Gobo | undefined;
  /**
   * Blur behind the product: radius of the circle of confusion at infinity, as a fraction of the frame's longer side, 0
   * to 0.05.
   */
  readonly depthOfField: number;
  readonly tone: Tone;
  /** Half the product's maximum thickness, in world units. */
  readonly productDepth: number;
  /**
   * Depth, in world units, of a product whose silhouette does not reveal it, such as a sofa; undefined for other
   * products.
   */
  readonly bodyDepth?: number | undefined;
  /** Distance between the product and the plane behind it, in world units; only for the view `flat-lay`. */
  readonly gap?: number | undefined;
  /** Whether what is above the product's foot is a crown about as deep as it is wide, as of a plant; default false. */
  readonly isBushy?: boolean | undefined;
}
