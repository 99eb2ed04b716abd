/** Types passed between screens: what a workspace starts with, and a design with its cutout. */
import type { Design, Recipes } from '../../../clients/typescript/src/packshot-client.ts';

/** What a workspace starts with: a photo, a photo's URL, or an existing design. */
export interface Work {
  /** Unique: two starts with the same photo have different values. */
  readonly serial: string;
  readonly id?: string;
  readonly photo?: Blob;
  readonly url?: string;
  readonly name?: string;
  /** The project from whose list it was opened. */
  readonly project?: string;
  /** Shown at first; default: the cutout. */
  readonly tab?: 'scenes';
}

export interface OpenDesign {
  readonly design: Design;
  readonly name: string;
  /** The photo in a format that the browser can show, if any. */
  readonly photo: Blob | null;
  readonly cutout: Blob;
  readonly recipes: Recipes['recipes'];
}
