/** One run of `packshot batch`: its journal, batches and results. Every part can be resumed. */
import { extname, join } from 'node:path';
import type { MarketplaceId } from '../../listing/marketplaces.ts';
import type { Photo } from '../photo-run/find-photos.ts';
import { type OutputFolder, openOutputFolder } from '../photo-run/output-folder.ts';
import type { PictureOrder } from '../photo-run/picture-target.ts';
import type { RunReport } from '../photo-run/report-run.ts';
import { explainFailure, type Interrupts, type RunResult } from '../photo-run/run-files.ts';
import type { Service } from '../shared/service-client.ts';
import { openBatchJournal, photoKey } from './batch-journal.ts';
import { createBatchCollector, type ReportOutcome } from './collect-batch.ts';
import { type SentPhoto, splitIntoBatches } from './plan-batches.ts';

interface BatchRun {
  /** Photos, each with the path of its picture relative to the output folder. */
  readonly named: ReadonlyMap<Photo, string>;
  readonly orderOf: (photo: Photo) => PictureOrder;
  /** What all pictures depend on. */
  readonly settings: readonly unknown[];
  readonly service: Service;
  readonly report: RunReport;
  readonly interrupts: Interrupts;
  readonly options: {
    /** Folder, or ZIP file. */
    readonly out: string;
    readonly overwrite?: boolean;
    readonly check?: readonly MarketplaceId[];
    readonly server?: string;
  };
}

/** Collects the batches of an earlier run, then sends the remaining photos. */
export async function makeBatches(run: BatchRun): Promise<RunResult & { readonly failures: number }> {
  const { named, orderOf, report, interrupts, options } = run;
  const { client, maxBytes } = run.service;
  const { out, overwrite = false } = options;
  const signal = interrupts.stopping;
  const isZip = extname(out).toLowerCase() === '.zip';
  const settings = JSON.stringify([...run.settings, options.server, ...(options.check ?? [])]);
  const folder = isZip ? undefined : await openOutputFolder(out, { settings, overwrite });
  const journal = await openBatchJournal(
    isZip ? `${out}.batches.json` : join(out, '.packshot-batches.json'),
    settings,
  );
  if (overwrite) await journal.erase();

  const due = new Map([...named.keys()].map((photo) => [photoKey(photo), photo]));
  let failures = 0;
  const reportOutcome: ReportOutcome = (photo, outcome) => {
    if (!due.delete(photoKey(photo))) return;
    if (outcome.state === 'failed') failures++;
    report.end({ file: photo.name, ...outcome });
  };
  const collector = createBatchCollector({
    client,
    maxBytes,
    orderOf,
    marketplaces: options.check,
    settings,
    journal,
    photos: new Map(due),
    folder,
    reportOutcome,
    onProgress: report.progress,
    signal,
  });
  try {
    for (const batch of journal.batches()) {
      if (!batch.isCollected) {
        report.phase('Collecting a batch of an earlier run');
        await collector.collect(batch).catch(unlessGone);
      } else
        for (const { photo } of batch.items)
          if (due.has(photo)) reportOutcome(due.get(photo)!, skippedIn(batch.zip));
    }
    if (folder) await skipDone(due, named, folder, reportOutcome);
    const { batch: limits } = await client.limits({ signal });
    const sent = listSent(due, named, maxBytes, reportOutcome);
    const queue = splitIntoBatches(sent, limits);
    for (let photos = queue.shift(); photos; photos = queue.shift()) {
      signal.throwIfAborted();
      report.phase(`Sending ${photos.length === 1 ? '1 photo' : `${photos.length} photos`}`);
      try {
        const number = journal.batches().length + 1;
        await collector.collect(await collector.post(photos, isZip ? nameZip(out, number) : undefined));
      } catch (error) {
        // The connection is slow; send half as many photos, which may arrive in time.
        if (explainFailure(error).code !== 'upload_timeout' || photos.length === 1) throw error;
        queue.unshift(...splitIntoBatches(photos, { ...limits, maxItems: Math.ceil(photos.length / 2) }));
      }
    }
    await journal.erase();
    return { failures, left: 0, stoppedBy: undefined };
  } catch (error) {
    return { failures, left: due.size, stoppedBy: signal.aborted ? undefined : explainFailure(error) };
  }
}

/** Ignores the error of a batch that was deleted or has expired: its photos are sent again. */
function unlessGone(error: unknown): void {
  if (explainFailure(error).code !== 'batch_not_found') throw error;
}

const skippedIn = (zip: string | undefined) => ({ state: 'skipped', output: zip ?? null }) as const;

async function skipDone(
  due: ReadonlyMap<string, Photo>,
  named: ReadonlyMap<Photo, string>,
  folder: OutputFolder,
  reportOutcome: ReportOutcome,
): Promise<void> {
  for (const photo of [...due.values()]) {
    const picture = named.get(photo)!;
    if (await folder.isDone(picture, photo))
      reportOutcome(photo, { state: 'skipped', output: folder.pathOf(picture) });
  }
}

/** Returns the photos within the service's size limit, and reports the others as failed. */
function listSent(
  due: ReadonlyMap<string, Photo>,
  named: ReadonlyMap<Photo, string>,
  maxBytes: number,
  reportOutcome: ReportOutcome,
): SentPhoto[] {
  return [...due.values()].flatMap((photo): SentPhoto[] => {
    const bytes = photo.version?.bytes ?? 0;
    if (bytes <= maxBytes) return [{ photo, picture: named.get(photo)!, bytes }];
    const detail = `The file is larger than ${maxBytes} bytes.`;
    reportOutcome(photo, { state: 'failed', error: { code: 'file_too_large', detail } });
    return [];
  });
}

function nameZip(out: string, number: number): string {
  return number === 1 ? out : `${out.slice(0, -extname(out).length)}-${number}${extname(out)}`;
}
