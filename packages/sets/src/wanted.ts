/** What a prompt asks of a set, after its words were found in the dictionary. */
import type { GoboKind, Material, Shape } from 'packshot-studio';
import type { Mood, Part, WantedColor } from './color-wish.ts';
import type { PropSlot } from './set-file.ts';

export interface WantedMaterial {
  readonly material: Material;
  /** `#RRGGBB`; empty for the material's own colors. */
  readonly colors: readonly string[];
  /** Added to the lightness of these colors, as in "dark walnut". */
  readonly lighten: number;
}

export interface PropGroup {
  readonly name: string;
  readonly behind: readonly PropSlot[];
  readonly beside: readonly PropSlot[];
}

export interface Wanted {
  readonly colors: Readonly<Partial<Record<Part, WantedColor>>>;
  /** `any`: for whichever part of the set is made of it, else for what the product stands on. */
  readonly materials: Readonly<Partial<Record<Part | 'any', WantedMaterial>>>;
  readonly pattern: GoboKind | undefined;
  readonly warmth: 'warm' | 'cool' | undefined;
  readonly mood: Mood | undefined;
  readonly props: readonly PropGroup[];
  readonly unwanted: ReadonlySet<Shape>;
  /** Tags of sets and places, most important first. */
  readonly tags: readonly string[];
}
