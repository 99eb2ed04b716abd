/** Reads a design's stored photo, and returns it as a JPEG that every browser can decode, or returns its tags. */

import {
  type encodePhoto,
  type ImageLimits,
  ofAnySize,
  type PhotoTags,
  type readPhotoTags,
} from 'packshot-photos';
import { makeEtag } from '../etag.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Tasks, Urgency } from '../tasks.ts';
import { type Design, designBlobs } from './design.ts';
import { designNotFound } from './design-store.ts';

interface Dependencies {
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly imaging: Tasks<{ encodePhoto: typeof encodePhoto; readPhotoTags: typeof readPhotoTags }>;
  readonly limits: ImageLimits;
}

export type PhotoViewer = ReturnType<typeof createPhotoViewer>;

export function createPhotoViewer({ blobs, imaging, limits }: Dependencies) {
  async function readSource(id: string): Promise<Uint8Array> {
    const bytes = await blobs.get(designBlobs.source(id));
    if (!bytes) throw designNotFound();
    return bytes;
  }

  return {
    /** The stored photo. Throws `design_not_found` if the design was deleted in the meantime. */
    readSource,

    /** Stays the same as long as the response has the same bytes. Corrections of the cutout do not change it. */
    etagOf: ({ id, image }: Design): string => makeEtag([id, image.sha256, 'photo.jpeg']),

    /** Throws `design_not_found` if the design was deleted in the meantime, and the errors of `encodePhoto`. */
    async showPhoto({ id, accountId }: Design, signal: AbortSignal): Promise<Uint8Array> {
      const bytes = await readSource(id);
      const options = { signal, urgency: 'preview', account: accountId } as const;
      return imaging.encodePhoto({ bytes, limits: ofAnySize(limits) }, options);
    },

    /**
     * Returns those tags of the photo that may be copied to its pictures; null if there are none. Throws
     * `design_not_found`.
     */
    async readTags(
      { id, accountId }: Design,
      options: { readonly urgency: Urgency; readonly signal: AbortSignal },
    ): Promise<PhotoTags | null> {
      const bytes = await readSource(id);
      const input = { bytes, limits: ofAnySize(limits) };
      return imaging.readPhotoTags(input, { ...options, account: accountId });
    },
  };
}
