/** Conductor of forgetting: one design on request, the expired ones by and by, and bytes that no row knows. */
import type { BlobStore } from '../storage/blob-store.ts';
import { designBlobs } from './design.ts';
import type { DesignStore } from './design-store.ts';

/** An upload stores its bytes before its row; younger bytes without a row may belong to one that is under way. */
const orphanAgeMs = 3_600_000;

export function createDesignEraser(needs: {
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly clock: () => number;
  /** Hears of each erased id: whoever waits for its cutout waits in vain. */
  readonly onErased: (id: string) => void;
  /** Hears of what a sweep could not erase; the sweep goes on with the next. */
  readonly onError: (error: unknown) => void;
}) {
  const { designs, blobs, clock, onErased, onError } = needs;

  async function erase(id: string): Promise<void> {
    await designs.removeDesign(id);
    onErased(id);
    await blobs.deleteAll(designBlobs.of(id));
  }

  return {
    /** Throws `design_not_found`. Resolves when neither row nor bytes are left. */
    async eraseDesign(id: string, accountId: string): Promise<void> {
      await designs.resolveDesign(id, accountId);
      await erase(id);
    },

    /** Erases what has expired, and the bytes that a crash between two writes left behind. */
    async sweepDesigns(): Promise<void> {
      for (const id of await designs.listExpired()) await erase(id).catch(onError);
      const seen = new Set<string>();
      for await (const { key, modifiedAt } of blobs.list(designBlobs.all)) {
        const id = designBlobs.idIn(key);
        if (id === undefined || seen.has(id)) continue;
        if (clock() - modifiedAt.getTime() < orphanAgeMs) continue;
        seen.add(id);
        if (!(await designs.findDesign(id))) await blobs.deleteAll(designBlobs.of(id)).catch(onError);
      }
    },
  };
}

export type DesignEraser = ReturnType<typeof createDesignEraser>;
