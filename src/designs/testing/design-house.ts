/** For tests: real stores for designs, with a clock that the test sets. */
import type { ImageFacts } from '../../../packages/photos/src/read-image.ts';
import { openQueue } from '../../jobs/open-queue.ts';
import type { DatabaseConfig } from '../../storage/database.ts';
import { openMemoryBlobStore } from '../../storage/testing/memory-blobs.ts';
import { openTemporaryDatabase } from '../../storage/testing/temporary-database.ts';
import { cutoutJob } from '../create-design.ts';
import { designBlobs, type ProcessingDesign } from '../design.ts';
import { createDesignStore } from '../design-store.ts';
import { createProjectStore } from '../project-store.ts';

export type DesignHouse = Awaited<ReturnType<typeof openDesignHouse>>;

export const retentionMs = 7 * 86_400_000;
/** Time from upload to expiry of an unused design: the retention, plus the hour in which a use may go unrecorded. */
export const lifeMs = retentionMs + 3_600_000;

export const imageFacts: ImageFacts = {
  format: 'jpeg',
  width: 400,
  height: 300,
  bytes: 6,
  sha256: 'ab'.repeat(32),
  colorSpace: 'srgb',
  hasAlpha: false,
};

export async function openDesignHouse(kind?: DatabaseConfig['kind']) {
  const { database, notices, close } = await openTemporaryDatabase(kind);
  /** The stores' time in milliseconds, set by the test. The queue uses real time. */
  const clock = { now: Date.UTC(2026, 0, 1) };
  /** Background errors of the queue. */
  const errors: unknown[] = [];
  const blobs = openMemoryBlobStore(() => clock.now);
  const designs = createDesignStore(database, { clock: () => clock.now, retentionMs });
  const queue = openQueue({
    database,
    notices,
    clock: Date.now,
    sharedUrl: undefined,
    onError: (error) => errors.push(error),
  });
  for (const id of ['acc_own', 'acc_other']) {
    await database.insertInto('accounts').values({ id, name: id, created_at: 0 }).execute();
  }
  return {
    database,
    blobs,
    queue,
    notices,
    designs,
    projects: createProjectStore(database, { clock: () => clock.now }),
    /** There are no batches. */
    eraseResults: async () => undefined,
    clock,
    errors,
    /** Stores source, row and job, as an upload does, but does not wake the queue. */
    async insertDesign(
      id: string,
      accountId: 'acc_own' | 'acc_other' = 'acc_own',
      project?: string,
      dueInMs?: number,
    ): Promise<ProcessingDesign> {
      const origin = { fileName: 'mug.jpg', kindHint: undefined, project };
      const design = designs.newDesign({ id, accountId, image: imageFacts, origin }, { dueInMs });
      await blobs.put(designBlobs.source(id), Buffer.from('source'));
      await database.transaction().execute(async (transaction) => {
        await designs.insertDesign(design, transaction);
        await queue.enqueue(cutoutJob, id, transaction, { accountId });
      });
      return design;
    },
    async keys(): Promise<string[]> {
      const keys: string[] = [];
      for await (const { key } of blobs.list(designBlobs.all)) keys.push(key);
      return keys.sort();
    },
    async close(): Promise<void> {
      await queue.close({ graceMs: 50 });
      await close();
    },
  };
}
