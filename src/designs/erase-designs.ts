/** Conductor of forgetting: one design on request, the expired ones by and by, and bytes that no row knows. */
import type { BlobStore } from '../storage/blob-store.ts';
import { type CountListener, createBlobSweeper } from '../storage/sweep-blobs.ts';
import { designBlobs } from './design.ts';
import type { DesignStore } from './design-store.ts';

export function createDesignEraser(needs: {
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly clock: () => number;
  /** Hears of each erased id: whoever waits for its cutout waits in vain. */
  readonly onErased: (id: string) => void;
  /** Called with what each sweep counted. */
  readonly onCounted?: CountListener | undefined;
  /** Hears of what a sweep could not erase; the sweep goes on with the next. */
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
    /** Throws `design_not_found`. Resolves when neither row nor bytes are left. */
    async eraseDesign(id: string, accountId: string): Promise<void> {
      await designs.resolveDesign(id, accountId);
      await erase(id);
    },

    /** Erases what has expired, and the bytes that a crash between two writes left behind. */
    sweepDesigns: sweeper.sweep,
    findStale: sweeper.findStale,
  };
}

export type DesignEraser = ReturnType<typeof createDesignEraser>;
