/** Erases designs: single ones and projects on request, and expired designs and orphaned blobs in sweeps. */
import { PackshotError } from 'packshot-errors';
import type { BlobStore } from '../storage/blob-store.ts';
import { type CountListener, createBlobSweeper } from '../storage/sweep-blobs.ts';
import { designBlobs } from './design.ts';
import type { DesignStore } from './design-store.ts';
import type { ProjectStore } from './project-store.ts';

export function createDesignEraser(needs: {
  readonly designs: DesignStore;
  readonly projects: Pick<ProjectStore, 'listSome'>;
  /** Deletes a design's pictures in batches. Only on request: a batch has an expiry of its own. */
  readonly eraseResults: (designId: string) => Promise<void>;
  readonly blobs: BlobStore;
  readonly clock: () => number;
  /** Called with the ID of each deleted design, to release callers that wait for the design's cutout. */
  readonly onErased: (id: string) => void;
  /** Called by each sweep with the number of bytes that each design has stored. */
  readonly onCounted?: CountListener | undefined;
  /** Called with the error of each design that a sweep could not delete; the sweep continues with the next design. */
  readonly onError: (error: unknown) => void;
}) {
  const { designs, projects, blobs, eraseResults, onErased } = needs;

  async function erase(id: string): Promise<void> {
    await designs.removeDesign(id);
    onErased(id);
    await blobs.deleteAll(designBlobs.of(id));
  }

  /** The design goes last: if this is interrupted, a repeated call finds it and continues. */
  async function eraseWithResults(id: string): Promise<void> {
    await eraseResults(id);
    await erase(id);
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
      await eraseWithResults(id);
    },

    /** Throws `project_not_found`. Returns the number of erased designs. After an error, repeat it to erase the rest. */
    async eraseProject(name: string, accountId: string): Promise<number> {
      let erased = 0;
      for (;;) {
        const ids = await projects.listSome(name, accountId);
        if (ids.length === 0 && erased === 0) throw projectNotFound();
        if (ids.length === 0) return erased;
        for (const id of ids) await eraseWithResults(id);
        erased += ids.length;
      }
    },

    /** Deletes expired designs, and blobs orphaned by a crash between two writes. */
    sweepDesigns: sweeper.sweep,
    findStale: sweeper.findStale,
  };
}

export function projectNotFound(): PackshotError {
  return new PackshotError(
    'project_not_found',
    'There is no project with this name; its designs may have expired.',
  );
}

export type DesignEraser = ReturnType<typeof createDesignEraser>;
