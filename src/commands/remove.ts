/** `packshot remove`: backgrounds off photos, one or a folder of thousands, here or by a running service. */
import { realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import { listRecipes, variants } from '../recipes/catalogue.ts';
import { findPhotos, namePictures, type Photo } from './find-photos.ts';
import { openServiceFinisher } from './finish-at-service.ts';
import { openLocalFinisher, type PhotoFinisher, type PictureOrder } from './finish-photo.ts';
import { type OutputFolder, openOutputFolder, writeWhole } from './output-folder.ts';
import {
  chooseTarget,
  defaultFolder,
  formats,
  type OrderOptions,
  parseWhole,
  planOrder,
  type Target,
} from './picture-target.ts';
import { createRunReport } from './report-run.ts';
import { listenForInterrupts, runFiles } from './run-files.ts';
import { addServerOptions, askService, type ServerOptions, type Service } from './service-client.ts';
import { loadToolConfig } from './tool-config.ts';

interface Options extends OrderOptions, ServerOptions {
  readonly out?: string;
  readonly concurrency?: number;
  readonly overwrite?: boolean;
  readonly recursive?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** One is read and written while the next is cut, which keeps the engine busy; more would only fill memory. */
const localConcurrency = Math.min(2, availableParallelism());
/** Half of what a service answers a key at once, unless it was told otherwise: somebody else may have the key too. */
const serviceConcurrency = 4;

export function addRemove(program: Command): void {
  const command = program
    .command('remove')
    .summary('Remove the background of photos, one or a folder.')
    .description(
      "Remove the background of photos. Without --recipe: transparent PNGs of the photos' own size, named like them.",
    )
    .argument('<photo...>', 'photos, folders of photos, URLs, or - for standard input')
    .option(
      '-o, --out <where>',
      `folder for the pictures, a file for a single one, or - for standard output (default: "${defaultFolder}", or - where the photo is -)`,
    )
    .option('--recipe <id>', 'put the product on this recipe, such as Solid1_1_0035')
    .addOption(
      new Option('--variant <ratio>', 'aspect ratio (default: 1:1, or the one of the recipe)').choices(
        variants,
      ),
    )
    .addOption(
      new Option('--format <format>', 'default: jpeg on a recipe with a backdrop, else png').choices(formats),
    )
    .option('--concurrency <n>', 'photos in hand at once', parseWhole(1, 64))
    .option('-r, --recursive', 'look into folders inside folders, and make the same ones')
    .addOption(
      new Option('--resume', 'skip what an earlier run has done; on unless --overwrite').conflicts(
        'overwrite',
      ),
    )
    .option('--overwrite', 'make every picture anew, and replace files that are in the way')
    .option('--json', 'print one JSON line for each photo')
    .option('-q, --quiet', 'tell only of failures');
  addServerOptions(command).addHelpText('after', help).action(remove);
}

const help = `
Exit code: 0 all done, 1 some failed, 2 the command line does not fit, 130 interrupted. The same command again goes on
where it was interrupted.

Examples:
  packshot remove photos/ -o out/ --recipe Solid1_1_0035     a shop's photos on white
  packshot remove photos/ -o out/                            transparent, at their own size
  packshot remove mug.jpg -o mug.webp
  cat mug.jpg | packshot remove - -o - > mug.png
  packshot remove https://example.com/mug.jpg -o out/
  packshot remove photos/ -o out/ --json > out.jsonl
  PACKSHOT_API_KEY=psk_live_... packshot remove photos/ -o out/ --server http://127.0.0.1:8080`;

async function remove(words: readonly string[], options: Options, command: Command): Promise<void> {
  const refuse = (why: string): never => command.error(`error: ${why}`, { exitCode: 2 });
  const config = loadToolConfig();
  const service = await askService(options, command);
  const target = await chooseTarget(words, options.out);
  const order = planOrder(options, target, service?.recipes ?? listRecipes(), refuse);
  const named = await nameOutputs(words, options, target, order, refuse);
  const settings = JSON.stringify([
    order,
    listRecipes().find(({ id }) => id === order.recipe?.recipeId)?.revision,
    options.server ?? [config.cutout.engine.engine, config.cutout.mode],
  ]);
  const output = await openOutput(target, { settings, overwrite: options.overwrite ?? false });

  const report = createRunReport({
    total: named.size,
    noun: 'photo',
    resumes: target.kind === 'folder',
    json: options.json ?? false,
    quiet: options.quiet ?? false,
    words: process.stderr,
    lines: process.stdout,
    clock: () => performance.now(),
  });
  const due: Photo[] = [];
  for (const [photo, picture] of named) {
    if (options.overwrite || !(await output.isDone(picture, photo))) due.push(photo);
    else report.end({ file: photo.name, state: 'skipped', output: output.pathOf(picture) });
  }
  const interrupts = listenForInterrupts(report.say);
  const concurrency =
    options.concurrency ?? Math.min(service?.inFlight ?? localConcurrency, serviceConcurrency);
  const finisher = due.length === 0 ? undefined : await openFinisher(service, config, order, concurrency);
  try {
    let failures = 0;
    const { left, stoppedBy } = await runFiles(due, {
      concurrency,
      interrupts,
      async work(photo, signal) {
        const begunAt = performance.now();
        report.begin(photo.name);
        const { picture: bytes, confidence, issues } = await finisher!.finish(photo, signal);
        const picture = named.get(photo)!;
        await output.keep(picture, photo, bytes);
        report.end({
          file: photo.name,
          state: 'done',
          output: output.pathOf(picture),
          ms: performance.now() - begunAt,
          issues,
          facts: { confidence },
        });
      },
      onFailure(photo, error) {
        failures++;
        report.end({ file: photo.name, state: 'failed', error });
      },
    });
    report.sum({
      where: describeTarget(target),
      why: stoppedBy && `Stopped: ${stoppedBy.detail}`,
      stopped: left > 0,
    });
    process.exitCode = interrupts.exitCode() ?? (failures > 0 || left > 0 ? 1 : 0);
  } finally {
    interrupts.close();
    await finisher?.close();
  }
}

function openFinisher(
  service: Service | undefined,
  config: Config,
  order: PictureOrder,
  concurrency: number,
): Promise<PhotoFinisher> | PhotoFinisher {
  if (service) return openServiceFinisher(service.client, order, service.maxBytes);
  return openLocalFinisher(config, order, concurrency);
}

/** Each photo with the name of its picture. Refuses what would write over a photo. */
async function nameOutputs(
  words: readonly string[],
  { recursive = false }: Options,
  target: Target,
  { format }: PictureOrder,
  refuse: (why: string) => never,
): Promise<Map<Photo, string>> {
  const folder = target.kind === 'folder' ? await realpath(target.path).catch(() => undefined) : undefined;
  const photos = await findPhotos(words, { recursive, leaveOut: folder }, refuse);
  if (photos.length === 0) refuse(`There are no photos in ${words.join(', ')}.`);
  if (photos.some(({ kind }) => kind === 'stdin') && process.stdin.isTTY) {
    refuse('The photo - comes from standard input; pipe one in.');
  }
  if (target.kind !== 'folder') {
    if (photos.length > 1) refuse(`There are ${photos.length} photos; -o has to be a folder for them.`);
    if (target.kind === 'stdout' && process.stdout.isTTY) {
      refuse('The picture goes to standard output; send it to a file with > or to another program with |.');
    }
    const name = target.kind === 'file' ? target.path : '-';
    if ((await realpath(name).catch(() => undefined)) === photos[0]?.identity) {
      refuse(`The picture would replace its own photo ${name}.`);
    }
    return new Map([[photos[0]!, name]]);
  }
  const named = namePictures(photos);
  const identities = new Set(photos.map(({ identity }) => identity));
  for (const [photo, name] of named) {
    const picture = `${name}.${format}`;
    if (folder !== undefined && identities.has(join(folder, picture))) {
      refuse(`The picture of ${photo.name} would replace a photo; give another folder with -o.`);
    }
    named.set(photo, picture);
  }
  return named;
}

interface Output extends Pick<OutputFolder, 'isDone' | 'keep'> {
  /** Null for standard output. */
  pathOf(picture: string): string | null;
}

async function openOutput(target: Target, options: Parameters<typeof openOutputFolder>[1]): Promise<Output> {
  if (target.kind === 'folder') return openOutputFolder(target.path, options);
  return {
    pathOf: (picture) => (target.kind === 'file' ? picture : null),
    isDone: async () => false,
    async keep(picture, _photo, bytes) {
      if (target.kind === 'file') await writeWhole(picture, bytes);
      else await new Promise((written) => process.stdout.write(bytes, written));
    },
  };
}

function describeTarget(target: Target): string {
  if (target.kind === 'stdout') return 'done';
  return `done, in ${target.path}`;
}
