/** A photo in the list of many photos: its state on the way from a file to a picture; the list's order and filters. */
import type { Design, PictureFormat, RecipeInput } from '../../../clients/typescript/src/packshot-client.ts';
import type { Verdict } from '../checks/verdict.ts';
import { type BackdropChoice, uncut } from '../pictures/backdrop-choice.ts';
import { doubtsOf, isBetterUncut } from '../shared/doubts.ts';
import { translateDoubt } from '../shared/words.ts';

/**
 * waiting -> sending -> cutting -> ready. Each state before ready can change to failed; a retry changes failed to
 * waiting.
 */
export type PhotoState = 'waiting' | 'sending' | 'cutting' | 'ready' | 'failed';

/** How the photo's picture is made: a recipe, or a look (a scene or recipe that the account has saved). */
export interface Look extends RecipeInput {
  /** For display: the recipe's or look's name. */
  readonly title: string;
}

/** Why there is no cutout, in the service's words. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly requestId?: string | undefined;
}

/** How a photo's picture is made, and the choice in the panel that this was made from. */
export interface Dress {
  readonly look: Look;
  readonly choice: BackdropChoice;
}

export interface Photo extends Dress {
  /** Name of its project. */
  readonly project: string;
  /** Unique. Sorting by key gives the order in which the photos were added. */
  readonly key: string;
  /**
   * Number of uploads that the user has requested. Part of the idempotency key, which makes it safe to repeat
   * an upload.
   */
  readonly attempt: number;
  /** File name with extension. */
  readonly fileName: string;
  /** File name without extension; the name of its picture. */
  readonly name: string;
  readonly bytes: number;
  readonly state: PhotoState;
  readonly designId: string | null;
  readonly fault: Fault | null;
  /** Whether the service is still making a better cutout than the quick one that it has. */
  readonly improving?: boolean;
  /** Doubts about the cutout, in the service's words. */
  readonly doubts: readonly string[];
  /** Whether the service advises to leave the photo as it is. */
  readonly betterUncut?: boolean;
  /** Whether it is uploaded to be left as it is, because no product was found in it. */
  readonly isUncut?: boolean;
  /** Whether the user has checked the cutout and accepted it. */
  readonly approved: boolean;
  /** Revision of the cutout; each correction increases it. */
  readonly revision: number;
  /** Results of the last check, the picture that was checked (`of`, see `pictureOf`), and how (`by`, see `useChecks`). */
  readonly check: { readonly of: string; readonly by: string; readonly verdicts: readonly Verdict[] } | null;
  /** Why the last batch has no picture of this photo; null if there is no such reason. */
  readonly unmade: string | null;
  /** Whether the browser could not store the file. If so, and the tab is closed before the upload, the file is lost. */
  readonly unkept?: boolean;
}

export const filters = [
  { id: 'all', title: 'All' },
  { id: 'doubtful', title: 'Doubtful' },
  { id: 'failed', title: 'Failed' },
  { id: 'refused', title: 'Fails a check' },
  { id: 'done', title: 'Done' },
] as const;
export type Filter = (typeof filters)[number]['id'];

/** A quick cutout is not judged: its doubts may be gone in the better one. Nor is a cutout that the picture does not show. */
export const isDoubtful = ({ state, doubts, approved, look, improving = false }: Photo): boolean =>
  state === 'ready' && doubts.length > 0 && !approved && !improving && look.mutations?.cutout !== 'none';

/** The photo's look, showing the photo as it is. */
export const leaveUncut = ({ look, choice }: Dress): Dress => ({
  look: { ...look, mutations: { ...look.mutations, cutout: 'none' } },
  choice: uncut(choice),
});

export const isSettled = ({ state }: Photo): boolean => state === 'ready' || state === 'failed';

export function fits(photo: Photo, filter: Filter): boolean {
  if (filter === 'failed') return photo.state === 'failed' || photo.unmade !== null;
  if (filter === 'doubtful') return isDoubtful(photo);
  if (filter === 'refused') return verdictsOf(photo).some(({ verdict }) => verdict !== 'passes');
  return filter === 'all' || (photo.state === 'ready' && !isDoubtful(photo));
}

/**
 * Puts photos with doubtful cutouts first, then failures. While any photo is in progress, keeps the order in which the
 * photos were added, because otherwise tiles would move under the pointer.
 */
export function inOrder(photos: readonly Photo[]): readonly Photo[] {
  if (!photos.every((photo) => isSettled(photo) && !photo.improving)) return photos;
  const rank = (photo: Photo) => (isDoubtful(photo) ? 0 : photo.state === 'failed' ? 1 : 2);
  return [...photos].sort((a, b) => rank(a) - rank(b));
}

/** Identifies the photo's picture: its cutout, in that revision, in its look. Null until there is a cutout. */
export function pictureOf({ designId, revision, improving = false, look, state }: Photo): string | null {
  return state === 'ready' ? JSON.stringify([designId, revision, improving, recipeOf(look)]) : null;
}

/** Results of checking the photo's current picture. */
export const verdictsOf = (photo: Photo): readonly Verdict[] =>
  photo.check?.of === pictureOf(photo) ? photo.check.verdicts : [];

/** The look as a recipe of a render request. */
export function recipeOf({ title: _, ...recipe }: Look): RecipeInput {
  return recipe;
}

export const cutoutLook: Look = { title: 'Cutout', recipeId: 'Transp001', variant: '1:1' };

export const isTransparent = ({ recipeId }: Look): boolean => recipeId === cutoutLook.recipeId;

/** The user's choice, or else the format that suits the look. */
export const formatOf = (look: Look, chosen: PictureFormat | null): PictureFormat =>
  chosen ?? (isTransparent(look) ? 'png' : 'jpeg');

/** What the list shows of a design's cutout. */
export const factsOf = (
  design: Design,
): Pick<Photo, 'doubts' | 'betterUncut' | 'improving' | 'revision'> => ({
  doubts: doubtsOf(design).map(({ code, detail }) => translateDoubt(code, detail)),
  betterUncut: isBetterUncut(design),
  improving: design.improving,
  revision: design.cutout?.revision ?? 1,
});

let lastKey = 0;

/** A new photo. Its key sorts after the keys of earlier photos, even those added before a reload. */
export function newPhoto(file: File, project: string, { look, choice }: Dress): Photo {
  lastKey = Math.max(Date.now() * 1000, lastKey + 1);
  return {
    key: `${keyOf(lastKey)}-${crypto.getRandomValues(new Uint32Array(2)).join('')}`,
    project,
    attempt: 1,
    fileName: file.name,
    name: nameOf(file.name),
    bytes: file.size,
    state: 'waiting',
    designId: null,
    fault: null,
    doubts: [],
    approved: false,
    revision: 1,
    look,
    choice,
    check: null,
    unmade: null,
  };
}

/** The photo of a design that was uploaded elsewhere. */
export function photoOf(design: Design, project: string, { look, choice }: Dress): Photo {
  const { id, status, error, image, cutout } = design;
  const fileName = design.fileName ?? 'photo';
  return {
    key: `${keyOf(Date.parse(design.createdAt) * 1000)}-${id}`,
    project,
    attempt: 1,
    fileName,
    name: nameOf(fileName),
    bytes: image.bytes,
    state: status === 'processing' ? 'cutting' : status,
    designId: id,
    fault: error ? { code: error.code, message: error.detail, status: 422 } : null,
    ...factsOf(design),
    approved: cutout?.revisions.find(({ revision }) => revision === cutout.revision)?.kind === 'corrected',
    look,
    choice,
    check: null,
    unmade: null,
  };
}

const keyOf = (at: number): string => `photo-${at.toString().padStart(17, '0')}`;

const nameOf = (fileName: string): string => fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'photo';
