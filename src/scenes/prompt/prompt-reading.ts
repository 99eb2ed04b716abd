/** Types for the interpretation of a prompt: its requests about the set, and the words that make these requests. */

import type { PlaceName } from '../../studio/places/place-names.ts';
import type { Composition, GoboKind, Material, Shape } from '../../studio/scene-plan.ts';
import type { Oklch } from '../oklch.ts';
import type { Lexeme } from './lexicon.ts';
import type { Mood, Place } from './scene-words.ts';

export interface SpokenColor extends Oklch {
  /** English name of the color, without its tint. */
  readonly name: string;
  /** The modifier of the color, such as "light" or "dark". */
  readonly tint?: string | undefined;
  readonly isMetal: boolean;
}

export interface SpokenMaterial {
  readonly material: Material;
  /** `#RRGGBB`, base then second color; empty for the material's own colors. */
  readonly colors: readonly string[];
  /** Added to the lightness of the material's own colors, -0.2 to 0.1, as in "dark walnut". */
  readonly lighten: number;
}

export interface PromptReading {
  /** A color without a noun is for the wall; a second such color, or a metal, is for the accent. */
  readonly colors: Readonly<Partial<Record<Place, SpokenColor>>>;
  /** `any`: for no particular part of the set; if the prompt gives this material a color, that is `materialColor`. */
  readonly materials: Readonly<Partial<Record<Place | 'any', SpokenMaterial>>>;
  readonly materialColor: SpokenColor | undefined;
  readonly composition: Composition | undefined;
  readonly gobo: GoboKind | undefined;
  readonly light: 'warm' | 'cool' | undefined;
  readonly mood: Mood | undefined;
  /** Photographed places to show, best first; empty for a studio. */
  readonly places: readonly PlaceName[];
  /** Props to add. */
  readonly shapes: readonly Shape[];
  /** Props to exclude. */
  readonly unwanted: readonly Shape[];
}

/** One request of the prompt about the set. */
export type Aim =
  | { readonly type: 'color'; readonly place: Place; readonly color: SpokenColor }
  | { readonly type: 'material-color'; readonly color: SpokenColor }
  | { readonly type: 'material'; readonly place: Place | 'any'; readonly material: Material }
  | { readonly type: 'composition'; readonly composition: Composition }
  | { readonly type: 'gobo'; readonly gobo: GoboKind }
  | { readonly type: 'light'; readonly light: 'warm' | 'cool' }
  | { readonly type: 'mood'; readonly mood: Mood }
  | { readonly type: 'place'; readonly places: readonly PlaceName[] }
  | { readonly type: 'shape'; readonly shape: Shape }
  | { readonly type: 'absent'; readonly shapes: readonly Shape[] };

/**
 * The units (words of the prompt, see `PromptUnit`) that request an aim, by index. There are several if words belong
 * together: "sage wall".
 */
export interface Source {
  readonly aim: Aim | undefined;
  readonly units: readonly number[];
}

export interface Token {
  readonly lexeme: Lexeme;
  /** Index of the token's unit. */
  readonly unit: number;
  readonly phrase: number;
  readonly linked: boolean;
  readonly negated: boolean;
}
