/** What `packshot batch` has handed to the service and not collected yet, so that the same command goes on with it. */
import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Photo } from '../photo-run/find-photos.ts';
import { writeWhole } from '../photo-run/output-folder.ts';

const postedSchema = z.object({
  /** Of the service. */
  id: z.string(),
  /** In the order of the batch's items. */
  items: z.array(z.object({ photo: z.string(), picture: z.string() })),
  /** File of its results, where these are not unpacked. */
  zip: z.string().optional(),
  isCollected: z.boolean(),
});
const journalSchema = z.object({ settings: z.string(), batches: z.array(postedSchema) });

export type PostedBatch = z.infer<typeof postedSchema>;
export type BatchJournal = Awaited<ReturnType<typeof openBatchJournal>>;

/** Tells a photo from another one, and from the same file with other contents. */
export const photoKey = ({ kind, name, path, version }: Photo): string =>
  JSON.stringify([kind === 'url' ? name : path, version]);

/** A journal of other settings is begun again: its pictures are not the ones that are wanted now. */
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
