/** Parts of a set that a prompt may color, and moods. */
import type { Oklch } from './oklch.ts';

export const parts = ['wall', 'floor', 'stand', 'accent'] as const;
export type Part = (typeof parts)[number];

export const moods = ['dark', 'bold', 'pastel', 'minimal', 'natural'] as const;
export type Mood = (typeof moods)[number];

export interface WantedColor extends Oklch {
  /** English name, without its tint. */
  readonly name: string;
  readonly isMetal: boolean;
}
