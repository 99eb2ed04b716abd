/** `packshot scene`: places products in generated scenes or on a given backdrop, locally or on a service. */
import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { variants } from 'packshot-pixels';
import type { Config } from '../config.ts';
import { aiStudio, type Preset } from '../recipes/presets.ts';
import { createSceneDrawer, type SceneOptions } from './photo-run/draw-scenes.ts';
import { findPhotos, namePictures, namesFor, openPhoto } from './photo-run/find-photos.ts';
import { openSceneJournal } from './photo-run/output-folder.ts';
import {
  addFileOptions,
  defaultFolder,
  formatChoices,
  formatOfName,
  isUnwritableName,
} from './photo-run/picture-target.ts';
import { addReportOption, type ReportFileOptions } from './photo-run/report-file.ts';
import { chooseWatched, reportRun, runPhotos } from './photo-run/run-photos.ts';
import { addCheckOption } from './shared/check-pictures.ts';
import { type NamedLook, openLook, readLook } from './shared/look-files.ts';
import { findKeptPreset, openService } from './shared/own-service.ts';
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

interface Options extends SceneOptions, ServerOptions, ReportFileOptions {
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
  addReportOption(command);
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

async function makeScenes(words: readonly string[], options: Options, command: Command): Promise<void> {
  const refuse: Refuse = refuseWith(command);
  const { recursive = false } = options;
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
  const photos = watched ? [] : await findPhotos(words, search, refuse);
  if (photos.length === 0 && !watched) refuse(`There are no photos in ${words.join(', ')}.`);
  const named = options.look && (await readLook(options.look, options.server !== undefined, refuse));
  const pictures = (options.backdrop ?? options.look) === undefined ? options.count : 1;
  const server = await askService(options, command);
  const config = loadToolConfig();
  const preset = server ? undefined : await findPreset(config, options.preset, refuse);
  const run = { total: photos.length * pictures, noun: 'picture', resumes: false, watched: watched?.folder };
  await reportRun({ ...options, ...run }, async ({ report, interrupts }) => {
    const service = await openService(server, config, { preset, onOpen: report.phase });
    try {
      const { client, maxBytes } = service;
      const lent = await lendScenery(service, options, named);
      const { stopping } = interrupts;
      const draw = createSceneDrawer({ options, service, report, ...lent, stopping });
      const stems = namePictures(photos);
      const journal = watched && (await openSceneJournal(options.out, describeSettings(options)));
      const exitCode = await runPhotos(photos, {
        report,
        interrupts,
        concurrency: photosAtOnce,
        where: `done, in ${options.out}`,
        async make(photo, signal) {
          const stem = stems.get(photo) ?? namesFor(photo)[0]!;
          await lendPhoto(client, photo, { maxBytes, productKind: options.kind, signal }, (design) =>
            draw(design, { file: photo.name, stem, signal }),
          );
          if (!stopping.aborted) await journal?.note(photo);
        },
        watch: watched && journal && { ...watched, recursive, pictures, isDone: journal.isDone },
      });
      await lent.giveBack();
      return exitCode;
    } finally {
      // From here on, Ctrl-C ends the program.
      report.stop();
      interrupts.close();
      await service.close();
    }
  });
}

/** All that scenes depend on except their photo; a watched photo gets new scenes if these change. */
function describeSettings(options: Options): string {
  const { prompt, preset, ratio, count, backdrop, look, kind, format, quality, preview, match } = options;
  const settings = [prompt, preset, ratio, count, backdrop, look, kind, format, quality, preview, match];
  // Listed only if set, so that journals of runs without this option stay valid.
  return JSON.stringify(options.keepMetadata ? [...settings, 'keepMetadata'] : settings);
}

/** Undefined for the built-in preset. */
async function findPreset(
  { storage: { database, dataDir } }: Config,
  name: string,
  refuse: Refuse,
): Promise<Preset | undefined> {
  if (name === aiStudio.name) return undefined;
  const where = database.kind === 'sqlite' ? dataDir : 'the database of DATABASE_URL';
  return (
    (await findKeptPreset(database, name)) ??
    refuse(`There is no preset ${name} in ${where}. ${aiStudio.name} is always available.`)
  );
}

/** Uploads the backdrop or the look that is to be used instead of suggested scenes. `giveBack` undoes the upload. */
async function lendScenery({ client, maxBytes }: Service, options: Options, named: NamedLook | undefined) {
  const name = options.backdrop;
  const backdrop =
    name === undefined
      ? undefined
      : await client.uploadIllustration(await openPhoto({ name }, maxBytes), { name: basename(name) });
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
