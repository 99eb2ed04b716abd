/** Records the batches that `packshot batch` has sent, so that running the same command again resumes them. */
import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import { type Photo, photoId } from '../photo-run/find-photos.ts';
import { writeWhole } from '../photo-run/output-folder.ts';

const postedSchema = z.object({
  id: z.string(),
  /** In the same order as the batch's items. */
  items: z.array(z.object({ photo: z.string(), picture: z.string() })),
  /** Path of the ZIP file for the batch's results; undefined if they are unpacked. */
  zip: z.string().optional(),
  isCollected: z.boolean(),
});
const journalSchema = z.object({ settings: z.string(), batches: z.array(postedSchema) });

export type PostedBatch = z.infer<typeof postedSchema>;
export type BatchJournal = Awaited<ReturnType<typeof openBatchJournal>>;

/** Identifies a photo and the version of its file. */
export const photoKey = (photo: Photo): string => JSON.stringify([photoId(photo), photo.version]);

/** A journal that was written with other settings is discarded, because its pictures would differ. */
export async function openBatchJournal(path: string, settings: string) {
  const kept = await read(path);
  let batches: readonly PostedBatch[] = kept?.settings === settings ? kept.batches : [];

  async function write(changed: readonly PostedBatch[]): Promise<void> {
    batches = changed;
    await writeWhole(path, Buffer.from(JSON.stringify({ settings, batches })));
  }

  return {
    batches: () => batches,
    add: (batch: PostedBatch) => write([...batches, batch]),
    noteCollected: (id: string) =>
      write(batches.map((batch) => (batch.id === id ? { ...batch, isCollected: true } : batch))),
    forget: (id: string) => write(batches.filter((batch) => batch.id !== id)),
    async erase(): Promise<void> {
      batches = [];
      await rm(path, { force: true });
    },
  };
}

async function read(path: string): Promise<z.infer<typeof journalSchema> | undefined> {
  try {
    return journalSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}
