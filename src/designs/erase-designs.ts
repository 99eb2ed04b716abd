/** Erases designs: single ones on request, and expired designs and orphaned blobs in sweeps. */
import type { BlobStore } from '../storage/blob-store.ts';
import { type CountListener, createBlobSweeper } from '../storage/sweep-blobs.ts';
import { designBlobs } from './design.ts';
import type { DesignStore } from './design-store.ts';

export function createDesignEraser(needs: {
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly clock: () => number;
  /** Called with the ID of each deleted design, to release callers that wait for the design's cutout. */
  readonly onErased: (id: string) => void;
  /** Called by each sweep with the number of bytes that each design has stored. */
  readonly onCounted?: CountListener | undefined;
  /** Called with the error of each design that a sweep could not delete; the sweep continues with the next design. */
  readonly onError: (error: unknown) => void;
}) {
  const { designs, blobs, onErased } = needs;

  async function erase(id: string): Promise<void> {
    await designs.removeDesign(id);
    onErased(id);
    await blobs.deleteAll(designBlobs.of(id));
  }

  const sweeper = createBlobSweeper({
    ...needs,
    owners: {
      prefix: designBlobs.all,
      listExpired: designs.listExpired,
      isKnown: async (id) => (await designs.findDesign(id)) !== undefined,
      erase,
    },
  });

  return {
    /** Throws `design_not_found`. Resolves once row and bytes are gone. */
    async eraseDesign(id: string, accountId: string): Promise<void> {
      await designs.resolveDesign(id, accountId);
      await erase(id);
    },

    /** Deletes expired designs, and blobs orphaned by a crash between two writes. */
    sweepDesigns: sweeper.sweep,
    findStale: sweeper.findStale,
  };
}

export type DesignEraser = ReturnType<typeof createDesignEraser>;
