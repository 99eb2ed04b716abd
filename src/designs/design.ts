/**
 * A design: one uploaded photo and all that is made of it.
 *
 *     upload ──> processing ──cutout made──────────> ready
 *                    │
 *                    └──no subject, or given up────> failed
 *
 * The upload is acknowledged in `processing`, when the photo and the row (with the cutout's job in the same
 * transaction) are durable. Only the job moves a design on, and only once: `ready` and `failed` are final, unless an
 * operator has `packshot jobs retry` take up the cutout of a `failed` one again. Whoever needs the cutout joins the
 * running job; nobody starts a second one. A cutout that was due before it was as good as it gets is replaced later: the
 * design stays `ready`, and everything rendered from it gets another ETag. A process that dies leaves the design in `processing` and its job in the
 * queue, so the next start goes on with it. A design ends by deletion or by expiry, from any state; its row goes first,
 * which makes it unknown to everyone at once, then its bytes.
 */
import type { ErrorCode } from '../errors.ts';
import type { ImageFacts } from './read-image.ts';
import type { ProductFacts, SubjectFacts } from './subject.ts';

interface DesignBase {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: Date;
  /** Null where designs are kept until they are deleted. */
  readonly expiresAt: Date | null;
  readonly image: ImageFacts;
  readonly origin: PhotoOrigin;
}

/** What the upload said of the photo beside its bytes. */
export interface PhotoOrigin {
  /** At most 200 characters; the last part of the path for a URL. */
  readonly fileName: string | undefined;
  /** A category's name or a word such as "shoes", at most 100 characters. */
  readonly kindHint: string | undefined;
}

export interface ProcessingDesign extends DesignBase {
  readonly state: 'processing';
  /** When a caller may need the cutout; null where it may take as long as it takes. */
  readonly cutoutDueAt: Date | null;
}

/** A cutout and what is known of it. */
export interface MadeCutout {
  readonly subject: SubjectFacts;
  /** What made the cutout: part of the key of everything that is rendered from it. */
  readonly cutoutVersion: string;
  /** Part of the names of its blobs; null for a design's first cutout. */
  readonly cutoutName: string | null;
}

export interface ReadyDesign extends DesignBase, MadeCutout {
  readonly state: 'ready';
  /** Undefined where too little of it is there to be looked at. */
  readonly product: ProductFacts | undefined;
  /** Stages of the cut that did not fit into the time there was: a better cutout will replace this one. */
  readonly leftOut: readonly string[];
}

export interface FailedDesign extends DesignBase {
  readonly state: 'failed';
  readonly failure: { readonly code: ErrorCode; readonly detail: string };
}

export type Design = ProcessingDesign | ReadyDesign | FailedDesign;

/** Where the bytes of a design lie in the blob store. */
export const designBlobs = {
  all: 'designs',
  of: (id: string) => `designs/${id}`,
  /** The upload as it came. */
  source: (id: string) => `designs/${id}/source`,
  cutout: (id: string, name: string | null = null) => `designs/${id}/cutout${suffixOf(name)}.png`,
  /** `file` says what picture of the illustration it is. */
  illustration: (id: string, illustrationId: string, file: string) =>
    `designs/${id}/illustrations/${illustrationId}/${file}`,
  /** Of one illustration, all of its pictures. */
  illustrations: (id: string, illustrationId: string) => `designs/${id}/illustrations/${illustrationId}`,
  matte: (id: string, name: string | null = null) => `designs/${id}/matte${suffixOf(name)}.png`,
} as const;

/** Of a blob's name below its design: whether it is a cutout or matte other than the current one. */
export function isOtherCutout(name: string, cutoutName: string | null): boolean {
  const found = /^(?:cutout|matte)(?:-([0-9A-Za-z]+))?\.png$/.exec(name);
  return found !== null && (found[1] ?? null) !== cutoutName;
}

function suffixOf(name: string | null): string {
  return name === null ? '' : `-${name}`;
}
