/** What a prompt asks of a set, and which of its words ask for it. */

import type { Composition, GoboKind, Material, Shape } from '../../studio/scene-plan.ts';
import type { Oklch } from '../oklch.ts';
import type { Lexeme } from './lexicon.ts';
import type { Mood, Place } from './scene-words.ts';

export interface SpokenColor extends Oklch {
  /** The English name of the colour, without its tint. */
  readonly name: string;
  /** "light", "dark": what was said of the color. */
  readonly tint?: string | undefined;
  readonly isMetal: boolean;
}

export interface SpokenMaterial {
  readonly material: Material;
  /** `#RRGGBB`, base then second colour; empty takes the material's own. */
  readonly colors: readonly string[];
  /** "dark walnut": added to the lightness of the material's own colours, -0.2 to 0.1. */
  readonly lighten: number;
}

export interface PromptReading {
  /** A colour that no noun claimed is the wall's; a second one, or a metal, the accent's. */
  readonly colors: Readonly<Partial<Record<Place, SpokenColor>>>;
  /** `any`: asked for, but for no part of the set in particular; its colour, if one was said, is `materialColor`. */
  readonly materials: Readonly<Partial<Record<Place | 'any', SpokenMaterial>>>;
  readonly materialColor: SpokenColor | undefined;
  readonly composition: Composition | undefined;
  readonly gobo: GoboKind | undefined;
  readonly light: 'warm' | 'cool' | undefined;
  readonly mood: Mood | undefined;
  /** Things to put into the set. */
  readonly shapes: readonly Shape[];
  /** Things that must not be there. */
  readonly unwanted: readonly Shape[];
}

/** One thing that the prompt asks of a set. */
export type Aim =
  | { readonly type: 'color'; readonly place: Place; readonly color: SpokenColor }
  | { readonly type: 'material-color'; readonly color: SpokenColor }
  | { readonly type: 'material'; readonly place: Place | 'any'; readonly material: Material }
  | { readonly type: 'composition'; readonly composition: Composition }
  | { readonly type: 'gobo'; readonly gobo: GoboKind }
  | { readonly type: 'light'; readonly light: 'warm' | 'cool' }
  | { readonly type: 'mood'; readonly mood: Mood }
  | { readonly type: 'shape'; readonly shape: Shape }
  | { readonly type: 'absent'; readonly shapes: readonly Shape[] };

/** Which units of the prompt ask for an aim, by index; more than one where words belong together: "sage wall". */
export interface Source {
  readonly aim: Aim | undefined;
  readonly units: readonly number[];
}

export interface Token {
  readonly lexeme: Lexeme;
  /** Index of its unit. */
  readonly unit: number;
  readonly phrase: number;
  readonly linked: boolean;
  readonly negated: boolean;
}
