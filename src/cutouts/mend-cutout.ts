/**
 * Restores lost cutouts: recomputes blobs that the storage has lost, for all stored revisions of a design.
 */

import type { Cut, CutExtent, rebuildCutout } from 'packshot-cutout/service';
import { PackshotError } from 'packshot-errors';
import {
  type CutoutRevision,
  designBlobs,
  listRevisions,
  type OwnedDesign,
  type ReadyDesign,
} from '../designs/design.ts';
import { type DesignStore, designNotFound } from '../designs/design-store.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Tasks } from '../tasks.ts';
import { isWholePng } from './png-integrity.ts';

interface Dependencies {
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly cut: (design: ReadyDesign, bytes: Uint8Array, extent: CutExtent) => Promise<Cut>;
  readonly imaging: Tasks<{ rebuildCutout: typeof rebuildCutout }>;
  /** Runs `mendCutout` in another process; undefined if this process does the work. */
  readonly mendElsewhere: ((design: OwnedDesign) => Promise<void>) | undefined;
}

export function createCutoutMender({ designs, blobs, cut, imaging, mendElsewhere }: Dependencies) {
  const share = createSingleFlight<void>();

  async function readWhole(key: string): Promise<Buffer | null> {
    const bytes = await blobs.get(key);
    return bytes && isWholePng(bytes) ? bytes : null;
  }

  async function mendRevision(
    design: ReadyDesign,
    source: Uint8Array,
    { kind, leftOut, cutoutName }: CutoutRevision,
  ): Promise<void> {
    const { id } = design;
    const keys = [designBlobs.cutout(id, cutoutName), designBlobs.matte(id, cutoutName)] as const;
    const [cutoutPng, mattePng] = await Promise.all([readWhole(keys[0]), readWhole(keys[1])]);
    if (cutoutPng && mattePng) return;
    if (kind === 'corrected' && !cutoutPng && !mattePng) return;
    const options = { signal: never, urgency: 'preview', account: design.accountId } as const;
    const made =
      kind === 'automatic'
        ? await cut(design, source, { leaveOut: leftOut })
        : await imaging.rebuildCutout(
            { bytes: source, alpha: design.origin.alpha, cutoutPng, mattePng },
            options,
          );
    await Promise.all([blobs.put(keys[0], made.cutoutPng), blobs.put(keys[1], made.mattePng)]);
  }

  /**
   * Recomputes the missing and damaged blobs of a design. The automatic cutout is made again from the photo, with the
   * same result. For a correction, the cutout is recomputed from the matte, or the matte from the cutout; if neither is
   * intact, nothing is recomputed.
   */
  const mendCutout = (owned: OwnedDesign): Promise<void> =>
    share(owned.id, { signal: never }, async () => {
      if (mendElsewhere) return mendElsewhere(owned);
      const { id } = owned;
      const design = await designs.findDesign(id);
      if (design?.state !== 'ready') throw designNotFound();
      const source = await blobs.get(designBlobs.source(id));
      // The photo is missing only if the design was deleted between the two reads.
      if (!source) throw designNotFound();
      for (const revision of listRevisions(design).revisions) await mendRevision(design, source, revision);
      if (!(await designs.findDesign(id))) await blobs.deleteAll(designBlobs.of(id));
    });

  return {
    mendCutout,

    /** Returns a stored PNG of a design; recomputes it if it is missing or damaged. */
    async readOrMend(design: OwnedDesign, key: string): Promise<Buffer> {
      const bytes = await readWhole(key);
      if (bytes) return bytes;
      await mendCutout(design);
      const mended = await readWhole(key);
      if (mended) return mended;
      if (!(await designs.findDesign(design.id))) throw designNotFound();
      throw new PackshotError(
        'storage_unavailable',
        'This revision of the cutout is missing from the storage. Restore an earlier one with POST /v1/design/{id}/correct.',
        { lasting: true },
      );
    },
  };
}

const never = new AbortController().signal;
