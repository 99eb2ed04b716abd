/** `packshot scene`: places products in generated scenes or on a given backdrop, locally or on a service. */
import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { variants } from '../recipes/catalogue.ts';
import { aiStudio } from '../recipes/presets.ts';
import { createSceneDrawer, type SceneOptions } from './photo-run/draw-scenes.ts';
import {
  findPhotos,
  hasChanged,
  namePictures,
  namesFor,
  openPhoto,
  type Photo,
} from './photo-run/find-photos.ts';
import { arrivalsOf, chooseWatched, endRun } from './photo-run/finish-all.ts';
import { openSceneJournal } from './photo-run/output-folder.ts';
import {
  addFileOptions,
  defaultFolder,
  formatChoices,
  formatOfName,
  isUnwritableName,
} from './photo-run/picture-target.ts';
import { createRunReport, type RunReport } from './photo-run/report-run.ts';
import { type Interrupts, listenForInterrupts, runFiles } from './photo-run/run-files.ts';
import { retryWhilePassing } from './photo-run/watch-folder.ts';
import { addCheckOption, type CheckOptions, openPictureChecker } from './shared/check-pictures.ts';
import { type NamedLook, openLook, readLook } from './shared/look-files.ts';
import { findKeptPreset, openOwnService } from './shared/own-service.ts';
import { parseWhole } from './shared/parse-options.ts';
import { type Refuse, refuseWith } from './shared/refuse.ts';
import {
  addServerOptions,
  askService,
  lendPhoto,
  type ServerOptions,
  type Service,
} from './shared/service-client.ts';
import { loadToolConfig } from './shared/tool-config.ts';

interface Options extends SceneOptions, ServerOptions, CheckOptions {
  readonly watch?: boolean;
  readonly kind?: string;
  readonly recursive?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * Limit of --count: 4 lists of 6 scenes, the most that a preset can request. The built-in preset suggests only 8
 * scenes, even if --count is higher.
 */
const mostScenes = 24;

export function addScene(program: Command): void {
  const command = program
    .command('scene')
    .summary('Place products in generated scenes, or on your own backdrop.')
    .description(
      'Place products in generated scenes. Files are named after photo and scene; existing files are never replaced.',
    )
    .argument('<photo...>', 'photos, folders of photos, URLs, or - for standard input')
    .option('-p, --prompt <text>', 'describe the scenes you want')
    .option('--preset <preset>', 'preset to choose scenes from, see `packshot presets`', aiStudio.name)
    .addOption(
      new Option('--ratio <ratio>', 'aspect ratio (default: 1:1, or the first of the preset)').choices(
        variants,
      ),
    )
    .option('--count <n>', 'scenes per photo', parseWhole(1, mostScenes), 4)
    .option('--kind <words>', 'kind of product, such as shoes (default: detected)')
    .addOption(
      new Option('--backdrop <file>', 'place the product on this picture instead of in scenes').conflicts([
        'prompt',
        'preset',
        'count',
      ]),
    )
    .addOption(
      new Option(
        '--look <look>',
        'render every product in this look: a look file or, with --server, the id of a look',
      ).conflicts(['prompt', 'preset', 'count', 'backdrop', 'saveLooks']),
    )
    .addOption(
      new Option('--save-looks', 'write a look file beside each picture, for --look').conflicts('backdrop'),
    )
    .addOption(
      new Option('--match <what>', "light: grade the product's pixels to the scene's light, within limits")
        .choices(['light'])
        .conflicts('backdrop'),
    )
    .option('-o, --out <folder>', 'output folder', defaultFolder)
    .addOption(new Option('--format <format>', 'picture format').choices(formatChoices).default('jpg'));
  addFileOptions(command)
    .option('--preview', 'render at 640 px in a second or two, instead of 2000 px')
    .option('-r, --recursive', 'include folders inside folders')
    .option('--watch', 'keep watching the folder, and process each photo that arrives or changes')
    .option('--json', 'print one JSON line per picture')
    .option('-q, --quiet', 'print failures only');
  addCheckOption(command);
  addServerOptions(command).addHelpText('after', help).action(makeScenes);
}

const help = `
Exit code: 0 all done, 1 some failed or did not pass --check, 2 invalid command line, 130 interrupted.

Examples:
  packshot scene mug.jpg --prompt "white marble podium, palm shadow" --ratio 4:5 -o out/
  packshot scene mug.jpg --preview --count 8                 to choose from
  packshot scene photos/ --prompt "oak table, morning light" --count 1
  packshot scene boot.jpg --kind shoes
  packshot scene boot.jpg --prompt "palm shadow" --match light
  packshot scene mug.jpg --backdrop kitchen.jpg
  packshot scene mug.jpg --save-looks -o out/                 then choose one of the pictures:
  packshot scene photos/ --look out/mug-marble-podium.look.json`;

/** Photos processed at a time: one photo is uploaded and cut out while the scenes of another are drawn. */
const photosAtOnce = 2;
/** Half of a service's default limit of concurrent calls, because others may use the same key. */
const drawingsAtService = 4;

async function makeScenes(words: readonly string[], options: Options, command: Command): Promise<void> {
  const refuse: Refuse = refuseWith(command);
  const { recursive = false, json, quiet } = options;
  if (!options.out.endsWith('/') && (formatOfName(options.out) ?? isUnwritableName(options.out))) {
    refuse(`Scenes need an output folder: -o ${dirname(options.out)}`);
  }
  if (options.quality !== undefined && options.format === 'png') {
    refuse('PNG is lossless: leave out --quality, or add --format jpg, webp or avif.');
  }
  const watched = options.watch
    ? await chooseWatched(words, { kind: 'folder', path: options.out }, refuse)
    : undefined;
  const search = { recursive, leaveOut: await realpath(options.out).catch(() => undefined) };
  const photos = watched === undefined ? await findPhotos(words, search, refuse) : [];
  if (photos.length === 0 && watched === undefined) refuse(`There are no photos in ${words.join(', ')}.`);
  const named = options.look && (await readLook(options.look, options.server !== undefined, refuse));
  const total = photos.length * scenesPerPhoto(options);
  const report = createRunReport({ total, noun: 'picture', resumes: false, watched, json, quiet });
  const interrupts = listenForInterrupts(report.say);
  const { service, drawings, close } = await openScenes(options, command, { refuse, report });
  const checker = options.check && openPictureChecker(loadToolConfig(), options.check);
  try {
    const lent = await lendScenery(service, options, named);
    const draw = createSceneDrawer({
      options,
      client: service.client,
      report,
      ...lent,
      checker,
      drawings,
      stopping: interrupts.stopping,
    });
    process.exitCode = await drawAll(photos, { options, service, report, interrupts, draw, watched });
    await lent.giveBack();
  } finally {
    report.stop();
    interrupts.close();
    await Promise.all([close(), checker?.close()]);
  }
}

const scenesPerPhoto = ({ backdrop, look, count }: Options): number =>
  (backdrop ?? look) === undefined ? count : 1;

interface SceneRun {
  readonly options: Options;
  readonly service: Service;
  readonly report: RunReport;
  readonly interrupts: Interrupts;
  readonly draw: ReturnType<typeof createSceneDrawer>;
  readonly watched: string | undefined;
}

/** Draws the scenes of all photos. Returns the exit code. */
async function drawAll(
  photos: readonly Photo[],
  { options, service, report, interrupts, draw, watched }: SceneRun,
): Promise<number> {
  const stems = namePictures(photos);
  const { prompt, preset, ratio, count, backdrop, look, kind, format, quality, preview, match } = options;
  const settings = [prompt, preset, ratio, count, backdrop, look, kind, format, quality, preview, match];
  // Listed only if set, so that journals of runs without this option stay valid.
  if (options.keepMetadata) settings.push('keepMetadata');
  const wanted = JSON.stringify(settings);
  const journal = watched === undefined ? undefined : await openSceneJournal(options.out, wanted);
  let failures = 0;
  const drawPhoto = (photo: Photo, signal: AbortSignal) => {
    report.begin(photo.name);
    const lending = { maxBytes: service.maxBytes, productKind: options.kind, signal };
    const stem = stems.get(photo) ?? namesFor(photo)[0]!;
    return lendPhoto(service.client, photo, lending, (design) =>
      draw(design, { file: photo.name, stem, signal }),
    );
  };
  const drawArrival = async (photo: Photo, signal: AbortSignal) => {
    if (await hasChanged(photo)) return report.leave(photo.name, scenesPerPhoto(options));
    const again = { tell: report.say, stopping: interrupts.stopping };
    await retryWhilePassing(() => drawPhoto(photo, signal), again);
    if (!interrupts.stopping.aborted) await journal?.note(photo);
  };
  const arrivals =
    journal &&
    arrivalsOf(watched!, {
      recursive: options.recursive ?? false,
      out: options.out,
      pictures: scenesPerPhoto(options),
      report,
      isDone: journal.isDone,
    });
  const ended = await runFiles(arrivals ?? photos, {
    concurrency: photosAtOnce,
    interrupts,
    work: journal ? drawArrival : drawPhoto,
    onFailure(photo, error) {
      failures++;
      report.end({ file: photo.name, state: 'failed', error });
    },
  });
  const where = `done, in ${options.out}`;
  return endRun({ ...ended, report, interrupts, where, failures, watches: watched !== undefined });
}

/** The service named by --server, or one in this process. Both suggest the same scenes. */
async function openScenes(
  options: Options,
  command: Command,
  { refuse, report }: { readonly refuse: Refuse; readonly report: RunReport },
): Promise<{ service: Service; drawings: number; close: () => Promise<void> }> {
  const named = await askService(options, command);
  if (named) {
    const drawings = Math.min(drawingsAtService, named.inFlight);
    return { service: named, drawings, close: async () => undefined };
  }
  const config = loadToolConfig();
  const { dataDir, database } = config.storage;
  const preset =
    options.preset === aiStudio.name ? undefined : await findKeptPreset(database, options.preset);
  if (!preset && options.preset !== aiStudio.name) {
    const where = database.kind === 'sqlite' ? dataDir : 'the database of DATABASE_URL';
    refuse(`There is no preset ${options.preset} in ${where}. ${aiStudio.name} is always available.`);
  }
  report.phase(`Loading the removal engine ${config.cutout.engine.engine}`);
  const service = await openOwnService(config, { preset }).catch((error) => {
    report.stop();
    throw error;
  });
  return { service, drawings: config.rendering.workers, close: service.close };
}

/** Uploads the backdrop or the look that is to be used instead of suggested scenes. `giveBack` undoes the upload. */
async function lendScenery(service: Service, options: Options, named: NamedLook | undefined) {
  const { client } = service;
  const backdrop = options.backdrop === undefined ? undefined : await uploadBackdrop(service, options);
  const look = named ? await openLook(client, named) : undefined;
  return {
    backdrop,
    look,
    async giveBack(): Promise<void> {
      if (backdrop) await client.deleteIllustration(backdrop.uri).catch(() => undefined);
      await look?.giveBack();
    },
  };
}

async function uploadBackdrop({ client, maxBytes }: Service, { backdrop }: Options) {
  const name = basename(backdrop!);
  return client.uploadIllustration(await openPhoto({ name: backdrop! }, maxBytes), { name });
}
