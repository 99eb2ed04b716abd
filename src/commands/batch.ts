/** `packshot batch`: sends whole folders of photos to a service in batches, and downloads the results. */
import { extname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { listRecipes, variants } from '../recipes/catalogue.ts';
import { openBatchJournal, photoKey } from './batch-run/batch-journal.ts';
import { createBatchCollector } from './batch-run/collect-batch.ts';
import { type SentPhoto, splitIntoBatches } from './batch-run/plan-batches.ts';
import type { Photo } from './photo-run/find-photos.ts';
import type { PictureOrder } from './photo-run/finish-photo.ts';
import { type OutputFolder, openOutputFolder } from './photo-run/output-folder.ts';
import { defaultFolder, formatChoices, type OrderOptions, planOrder } from './photo-run/picture-target.ts';
import { nameOutputs } from './photo-run/place-outputs.ts';
import { addChangeOptions } from './photo-run/recipe-changes.ts';
import { createRunReport, everySecond, type FileOutcome, type RunReport } from './photo-run/report-run.ts';
import { explainFailure, type Failure, type Interrupts, listenForInterrupts } from './photo-run/run-files.ts';
import { addServerOptions, askService, type ServerOptions, type Service } from './shared/service-client.ts';

interface Options extends OrderOptions, ServerOptions {
  readonly out: string;
  readonly recursive?: boolean;
  readonly overwrite?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addBatch(program: Command): void {
  const command = program
    .command('batch')
    .summary('Process whole folders of photos in batches on a service.')
    .description(
      'Render full versions of many photos on a service: sends them in batches, which the service processes at low priority, and downloads the results.',
    )
    .argument('<photo...>', 'photos, folders of photos, or URLs')
    .option('-o, --out <where>', 'folder for the pictures, or a .zip file', defaultFolder)
    .option('--recipe <id>', 'place the product on this recipe, such as Solid1_1_0035 (white)');
  addChangeOptions(command)
    .addOption(
      new Option('--ratio <ratio>', "aspect ratio (default: 1:1, or the recipe's)").choices(variants),
    )
    .addOption(
      new Option('--format <format>', 'default: jpg on a recipe with a backdrop, else png').choices(
        formatChoices,
      ),
    )
    .option('-r, --recursive', 'include folders inside folders, and create the same ones')
    .option('--overwrite', 'make every picture again, and replace existing files')
    .option('--json', 'print one JSON line per photo')
    .option('-q, --quiet', 'print failures only');
  addServerOptions(command).addHelpText('after', help).action(runBatches);
}

const help = `
An interrupted command leaves the service at work: the same command collects what was made meanwhile and sends the rest.
More photos than fit into one batch become several; a .zip file is then numbered: out.zip, out-2.zip.

Exit code: 0 all done, 1 some failed, 2 invalid command line (nothing was sent), 130 interrupted.

Examples:
  export PACKSHOT_API_KEY=psk_live_...
  packshot batch photos/ --recipe Solid1_1_0035 -o out/ --server http://127.0.0.1:8080
  packshot batch photos/ --recipe Solid4_5_0035 --margin 7% -o autumn.zip --server http://127.0.0.1:8080`;

async function runBatches(words: readonly string[], options: Options, command: Command): Promise<void> {
  const refuse = (why: string): never => command.error(`error: ${why}`, { exitCode: 2 });
  if (options.server === undefined) refuse('Batches run on a service: specify it with --server.');
  if (options.recipe === undefined && options.background === undefined) {
    refuse('A batch needs a recipe, such as --recipe Solid1_1_0035 (white) or --recipe Transp001.');
  }
  const target = { kind: 'folder', path: options.out } as const;
  const service = (await askService(options, command))!;
  const order = planOrder(options, target, service.recipes, refuse);
  const named = await nameOutputs(words, options, target, order, refuse);
  if ([...named.keys()].some(({ kind }) => kind === 'stdin')) {
    refuse('A batch accepts files, folders and URLs; pipe a single photo into `packshot remove -`.');
  }
  const report = createRunReport({
    total: named.size,
    noun: 'photo',
    resumes: true,
    json: options.json ?? false,
    quiet: options.quiet ?? false,
    words: process.stderr,
    lines: process.stdout,
    clock: () => performance.now(),
    everySecond,
  });
  const interrupts = listenForInterrupts(
    report.say,
    'Stopping; the service continues with the batches that it has received.',
  );
  try {
    const run = { named, order, service, report, interrupts, options };
    const { failures, left, stoppedBy } = await makeBatches(run);
    report.sum({
      where: `done, in ${options.out}`,
      why: stoppedBy && `Stopped: ${stoppedBy.detail}`,
      stopped: left > 0,
    });
    process.exitCode = interrupts.exitCode() ?? (failures > 0 || left > 0 ? 1 : 0);
  } finally {
    report.stop();
    interrupts.close();
  }
}

interface Run {
  /** Photos, each with the path of its picture relative to the output folder. */
  readonly named: ReadonlyMap<Photo, string>;
  readonly order: PictureOrder;
  readonly service: Service;
  readonly report: RunReport;
  readonly interrupts: Interrupts;
  readonly options: Options;
}

interface Result {
  readonly failures: number;
  /** Neither done nor failed. */
  readonly left: number;
  /** Why the run ended early. */
  readonly stoppedBy: Failure | undefined;
}

async function makeBatches({ named, order, service, report, interrupts, options }: Run): Promise<Result> {
  const { client, maxBytes } = service;
  const { out, overwrite = false } = options;
  const signal = interrupts.stopping;
  const isZip = extname(out).toLowerCase() === '.zip';
  const revision = listRecipes().find(({ id }) => id === order.recipe?.recipeId)?.revision;
  const settings = JSON.stringify([order, revision, options.server]);
  const folder = isZip ? undefined : await openOutputFolder(out, { settings, overwrite });
  const journal = await openBatchJournal(
    isZip ? `${out}.batches.json` : join(out, '.packshot-batches.json'),
    settings,
  );
  if (overwrite) await journal.erase();

  const due = new Map([...named.keys()].map((photo) => [photoKey(photo), photo]));
  let failures = 0;
  const reportOutcome = (photo: Photo, outcome: Omit<FileOutcome, 'file'>): void => {
    if (!due.delete(photoKey(photo))) return;
    if (outcome.state === 'failed') failures++;
    report.end({ file: photo.name, ...outcome });
  };
  const collector = createBatchCollector({
    client,
    maxBytes,
    order,
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
        // The connection is slow: half as many photos may arrive in time.
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

type ReportOutcome = (photo: Photo, outcome: Omit<FileOutcome, 'file'>) => void;

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

/** Photos within the service's size limit; reports the others as failed without sending them. */
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
