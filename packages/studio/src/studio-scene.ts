/** The renderer's scene, in explicit numbers. Nothing is left for the renderer to choose at random. */
import type { Move, Vec3 } from './meshes/mesh.ts';
import type { Shape } from './meshes/shape.ts';
import type { Camera, Material, Gobo as PlannedGobo, ScenePlan } from './scene-plan.ts';

export interface SlabSizes {
  /** In world units. */
  readonly width: number;
  /** Rotation around the vertical axis, in radians. */
  readonly turn: number;
  /** Position of a corner. */
  readonly from: readonly [x: number, z: number];
}

export interface MaterialSettings {
  readonly kind: Material;
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

/** A part of a plan that the renderer reads as planned. */
type Fixed<Part> = { readonly [Name in keyof Part]: Fixed<Part[Name]> };
export type KeyLight = Fixed<ScenePlan['key']>;
export type CameraSettings = Fixed<Camera>;
export type Tone = Fixed<ScenePlan['tone']>;
export type PlaceSetting = Fixed<NonNullable<ScenePlan['place']>>;
type PlannedEnvironment = Fixed<ScenePlan['env']>;
export type Environment = Omit<PlannedEnvironment, 'softbox'> & Partial<Pick<PlannedEnvironment, 'softbox'>>;

type Staged<Planned> = Planned extends unknown
  ? Fixed<Omit<Planned, 'target' | 'tiltDeg'>> & {
      /** The point on the set at the center of the pattern. */
      readonly target: Vec3;
      /** Rotation of the pattern in its own plane, in radians. */
      readonly turn: number;
    }
  : never;
/** `scale` is relative to the pattern's own size, in world units. */
export type Gobo = Staged<Exclude<PlannedGobo, { kind: 'none' }>>;

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
