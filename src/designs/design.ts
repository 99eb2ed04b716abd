/**
 * A design: one uploaded photo and everything derived from it.
 *
 *     upload ──> processing ──cutout made──────────> ready
 *                    │
 *                    └──no subject, or out of retries─> failed
 *
 * The upload is acknowledged in state `processing`, once the photo and the row (with the cutout's job in the same
 * transaction) are durable. Only the job settles a design, and only once: `ready` and `failed` are final, unless an
 * operator retries the cutout of a `failed` design with `packshot jobs retry`. Callers that need the cutout wait for
 * the running job; there is never a second one. A provisional cutout, which skipped stages to meet its deadline, is
 * replaced later. The design then stays `ready`, and everything rendered from it gets another ETag. A process that dies
 * leaves the design in `processing` and its job in the queue, so the next process resumes the job. In any state, a
 * design is deleted on request or on expiry: first its row, so that its id is unknown at once, then its bytes.
 */
import type { CutoutWish, SubjectFacts } from 'packshot-cutout/service';
import type { ErrorCode } from 'packshot-errors';
import type { AlphaWish, ImageFacts } from 'packshot-photos';
import type { ProductFacts } from 'packshot-sets';

/** A design, named together with the account whose work it is. */
export interface OwnedDesign {
  readonly id: string;
  readonly accountId: string;
}

interface DesignBase extends OwnedDesign {
  readonly createdAt: Date;
  /** Null if designs are kept until they are deleted. */
  readonly expiresAt: Date | null;
  readonly image: ImageFacts;
  readonly origin: PhotoOrigin;
}

/** Metadata of the upload, besides the photo's bytes. */
export interface PhotoOrigin {
  /** At most 200 characters. For a photo fetched from a URL, the last part of the URL's path. */
  readonly fileName: string | undefined;
  /** The uploader's hint: a category's name or a word such as "shoes"; at most 100 characters. */
  readonly kindHint: string | undefined;
  /** What the photo's own transparency means; default `auto`. */
  readonly alpha?: AlphaWish | undefined;
  /** `none`: the photo is left as it is. Default: `auto`. */
  readonly cutout?: CutoutWish | undefined;
  /** The name under which the uploader groups designs. */
  readonly project?: string | undefined;
}

export interface ProcessingDesign extends DesignBase {
  readonly state: 'processing';
  /** The earliest time at which a caller may need the cutout; null if there is no deadline. */
  readonly cutoutDueAt: Date | null;
}

/** A cutout and its metadata. */
export interface MadeCutout {
  readonly subject: SubjectFacts;
  /** Version of the engine that made the cutout; part of the cache key of everything rendered from it. */
  readonly cutoutVersion: string;
  /** Part of the names of the cutout's blobs; null for a design's first cutout. */
  readonly cutoutName: string | null;
}

/** One of the cutouts that a design keeps. */
export interface CutoutRevision extends MadeCutout {
  /** Number of the revision, starting at 1. */
  readonly revision: number;
  readonly kind: 'automatic' | 'corrected';
  /** ISO 8601. */
  readonly createdAt: string;
  /** The revision from which this one was made; null for the automatic revision. */
  readonly base: number | null;
  readonly product?: ProductFacts;
  /** See `ReadyDesign`. */
  readonly leftOut: readonly string[];
}

export interface CutoutHistory {
  readonly current: number;
  /** The automatic revision first; the others in the order in which they were made. */
  readonly revisions: readonly CutoutRevision[];
}

export interface ReadyDesign extends DesignBase, MadeCutout {
  readonly state: 'ready';
  /** Absent until the first correction. */
  readonly history?: CutoutHistory;
  /** Undefined if too little of the product is visible to classify it, or if classifying it failed. */
  readonly product: ProductFacts | undefined;
  /** Stages skipped for lack of time; a better cutout will replace this one. Empty if the cutout is final. */
  readonly leftOut: readonly string[];
}

export interface FailedDesign extends DesignBase {
  readonly state: 'failed';
  readonly failure: { readonly code: ErrorCode; readonly detail: string };
}

export type Design = ProcessingDesign | ReadyDesign | FailedDesign;

/** Keys of a design's blobs. */
export const designBlobs = {
  all: 'designs',
  of: (id: string) => `designs/${id}`,
  /** The uploaded file; for a HEIC, the JPEG or PNG made from it. */
  source: (id: string) => `designs/${id}/source`,
  cutout: (id: string, name: string | null = null) => `designs/${id}/cutout${suffixOf(name)}.png`,
  /** `file` names one picture of the illustration. */
  illustration: (id: string, illustrationId: string, file: string) =>
    `designs/${id}/illustrations/${illustrationId}/${file}`,
  /** Prefix of all pictures of one illustration. */
  illustrations: (id: string, illustrationId: string) => `designs/${id}/illustrations/${illustrationId}`,
  /** A finished picture, kept for the signed URLs that show it. */
  picture: (id: string, file: string) => `designs/${id}/pictures/${file}`,
  /** Files that came with a call, kept until it ends. Without `name`: the prefix of all. */
  callFile: (id: string, name?: string) => `designs/${id}/call${name === undefined ? '' : `/${name}`}`,
  matte: (id: string, name: string | null = null) => `designs/${id}/matte${suffixOf(name)}.png`,
} as const;

/** The kept revisions of a design's cutout, including the current one. */
export function listRevisions(design: ReadyDesign): CutoutHistory {
  if (design.history) return design.history;
  const { createdAt, leftOut, subject, product, cutoutVersion, cutoutName } = design;
  const first = { revision: 1, kind: 'automatic', base: null, createdAt: createdAt.toISOString() } as const;
  const made = { leftOut, subject, ...(product && { product }), cutoutVersion, cutoutName };
  return { current: 1, revisions: [{ ...first, ...made }] };
}

/** Whether a blob is a cutout or matte that the design does not keep. `name` is its key below the design's prefix. */
export function isOtherCutout(name: string, design: ReadyDesign): boolean {
  const found = /^(?:cutout|matte)(?:-([0-9A-Za-z]+))?\.png$/.exec(name);
  if (found === null) return false;
  return listRevisions(design).revisions.every(({ cutoutName }) => cutoutName !== (found[1] ?? null));
}

function suffixOf(name: string | null): string {
  return name === null ? '' : `-${name}`;
}
