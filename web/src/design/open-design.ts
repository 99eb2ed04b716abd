/** What the screens hand to each other: where work starts from, and a design with its cutout at hand. */
import type { Design, Recipes } from '../../../clients/typescript/src/packshot-client.ts';

/** What a workspace starts from: a photo, its address, or a design that exists. */
export interface Work {
  /** Tells two starts apart. */
  readonly serial: string;
  readonly id?: string;
  readonly photo?: Blob;
  readonly url?: string;
  readonly name?: string;
  /** It was opened from the list of many photos. */
  readonly listed?: boolean;
}

export interface OpenDesign {
  readonly design: Design;
  readonly name: string;
  /** What the browser can show of it, if anything. */
  readonly photo: Blob | null;
  readonly cutout: Blob;
  readonly recipes: Recipes['recipes'];
}
