/** One batch of `packshot batch`: sends it, waits for it, and downloads its pictures. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { openPromise as openZip } from 'yauzl';
import {
  type BatchItemInput,
  type BatchPage,
  type PackshotClient,
  PackshotError,
} from '../../../clients/typescript/src/packshot-client.ts';
import type { CheckSummary } from '../../listing/check-listing.ts';
import type { MarketplaceId } from '../../listing/marketplaces.ts';
import type { FileOutcome } from '../photo-run/file-outcome.ts';
import { openPhoto, type Photo } from '../photo-run/find-photos.ts';
import { type OutputFolder, writeWhole } from '../photo-run/output-folder.ts';
import type { PictureOrder } from '../photo-run/picture-target.ts';
import type { Failure } from '../photo-run/run-files.ts';
import { type BatchJournal, type PostedBatch, photoKey } from './batch-journal.ts';
import type { SentPhoto } from './plan-batches.ts';

export type ReportOutcome = (photo: Photo, outcome: Omit<FileOutcome, 'file'>) => void;

interface Dependencies {
  readonly client: PackshotClient;
  readonly maxBytes: number;
  readonly orderOf: (photo: Photo) => PictureOrder;
  /** Marketplaces whose rules the service checks the pictures against. */
  readonly marketplaces: readonly MarketplaceId[] | undefined;
  readonly settings: string;
  readonly journal: BatchJournal;
  /** Photos of this run by key; photos of an earlier run may be missing. */
  readonly photos: ReadonlyMap<string, Photo>;
  /** Where pictures are unpacked; undefined if results are kept as a ZIP. */
  readonly folder: OutputFolder | undefined;
  readonly reportOutcome: ReportOutcome;
  readonly onProgress: (text: string) => void;
  readonly signal: AbortSignal;
}

type Item = BatchPage['items'][number];

const damaged = (): PackshotError =>
  new PackshotError('internal', 'The results of the batch arrived damaged. Run the same command again.');

/** Leaves room for the extension: the service accepts names of up to 200 characters. */
const longestName = 150;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createBatchCollector(needs: Dependencies) {
  const { client, orderOf, journal, photos, folder, onProgress, signal } = needs;

  /** Throws the service's error. */
  async function post(sent: readonly SentPhoto[], zip: string | undefined): Promise<PostedBatch> {
    const { marketplaces } = needs;
    const files: Record<string, Blob> = {};
    const items: BatchItemInput[] = [];
    for (const [index, { photo, picture }] of sent.entries()) {
      const { recipe, format, quality, metadata } = orderOf(photo);
      const name = picture.slice(0, -extname(picture).length);
      const common = {
        ...recipe!,
        format,
        ...(quality !== undefined && { quality }),
        ...(metadata && { metadata }),
        name: name.slice(-longestName),
      };
      if (photo.kind === 'url') items.push({ url: photo.name, ...common });
      else {
        const file =
          name.length <= longestName ? name + extname(photo.path) : `${index}${extname(photo.path)}`;
        files[file] = await openPhoto(photo, needs.maxBytes);
        items.push({ file, ...common });
      }
    }
    const keys = sent.map(({ photo }) => photoKey(photo));
    // The Idempotency-Key depends only on the settings and the photos. So if a run is interrupted before it records the
    // batch, the next run sends the same key, and gets the same batch.
    const idempotencyKey = createHash('sha256')
      .update(JSON.stringify([needs.settings, keys]))
      .digest('base64url');
    const { id } = await client.createBatch(
      { items, events: [], ...(marketplaces && { marketplaces }) },
      { files, idempotencyKey, signal },
    );
    const posted: PostedBatch = {
      id,
      items: sent.map(({ picture }, i) => ({ photo: keys[i]!, picture })),
      zip,
      isCollected: false,
    };
    await journal.add(posted);
    return posted;
  }

  /** Throws the service's error. If the batch is gone, the journal forgets it, so that its photos can be sent again. */
  async function collect(batch: PostedBatch): Promise<void> {
    const { id } = batch;
    try {
      const { status } = await client.waitForBatch(id, {
        signal,
        onProgress: ({ counts }) =>
          onProgress(`The service has made ${counts.done + counts.failed} of ${counts.total}`),
      });
      if (status === 'cancelled') throw new PackshotError('batch_not_found', 'The batch was cancelled.');
      onProgress('Collecting the pictures');
      const items: Item[] = [];
      for await (const item of client.batchItems(id, { signal })) items.push(item);
      const results = await client.batchResults(id, { signal });
      if (batch.zip === undefined) await unpack(batch, items, results.stream());
      else await writeWhole(batch.zip, results.stream());
      for (const item of items) settle(batch, item);
      await (batch.zip === undefined ? journal.forget(id) : journal.noteCollected(id));
    } catch (error) {
      if (error instanceof PackshotError && error.code === 'batch_not_found') await journal.forget(id);
      throw error;
    }
    // The pictures are downloaded; if deletion fails, the batch expires anyway.
    await client.deleteBatch(id).catch(() => undefined);
  }

  /** Reads one picture at a time, because a batch may be larger than memory. */
  async function unpack(
    batch: PostedBatch,
    items: readonly Item[],
    results: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const byName = new Map(items.map((item) => [item.file, item]));
    const file = folder!.pathOf('.packshot-results.zip');
    try {
      await writeWhole(file, results);
      const zip = await openZip(file);
      for await (const entry of zip.eachEntry()) {
        const { posted, photo } = find(batch, byName.get(entry.fileName));
        if (!photo) continue;
        const picture = await buffer(await zip.openReadStreamPromise(entry));
        if (crc32(picture) !== entry.crc32) throw damaged();
        await folder!.keep(posted!.picture, photo, picture);
      }
    } finally {
      await rm(file, { force: true });
    }
  }

  function settle(batch: PostedBatch, item: Item): void {
    const { posted, photo } = find(batch, item);
    if (!photo) return;
    const { status, designId, checks, error } = item;
    const failure: Failure = error ?? { code: 'internal', detail: 'The service did not make this picture.' };
    if (status !== 'done') needs.reportOutcome(photo, { state: 'failed', error: failure });
    else
      needs.reportOutcome(photo, {
        state: 'done',
        output: batch.zip ?? folder!.pathOf(posted!.picture),
        checks: checks as readonly CheckSummary[] | undefined,
        facts: { designId },
      });
  }

  /** The photo is undefined if it is not part of this run. */
  function find(batch: PostedBatch, item: Item | undefined) {
    const posted = item && batch.items[item.item];
    return { posted, photo: posted && photos.get(posted.photo) };
  }

  return { post, collect };
}
