/** Conductor of a design's photo: stored as it came, shown as a JPEG that every browser can decode. */
import { makeEtag } from '../etag.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Tasks } from '../tasks.ts';
import { type Design, designBlobs } from './design.ts';
import { designNotFound } from './design-store.ts';
import type { encodePhoto } from './encode-photo.ts';
import type { ImageLimits } from './image-limits.ts';
import { ofAnySize } from './inspect-photo.ts';

interface Dependencies {
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly imaging: Tasks<{ encodePhoto: typeof encodePhoto }>;
  readonly limits: ImageLimits;
}

export type PhotoViewer = ReturnType<typeof createPhotoViewer>;

export function createPhotoViewer({ blobs, imaging, limits }: Dependencies) {
  return {
    /** Equal as long as the photo is shown by the same bytes; corrections of the cutout do not change it. */
    etagOf: ({ id, image }: Design): string => makeEtag([id, image.sha256, 'photo.jpeg']),

    /** Throws `design_not_found` if the design was erased in the meantime, and what `encodePhoto` throws. */
    async showPhoto({ id, accountId }: Design, signal: AbortSignal): Promise<Uint8Array> {
      const bytes = await blobs.get(designBlobs.source(id));
      if (!bytes) throw designNotFound();
      const options = { signal, urgency: 'preview', account: accountId } as const;
      return imaging.encodePhoto({ bytes, limits: ofAnySize(limits) }, options);
    },
  };
}
