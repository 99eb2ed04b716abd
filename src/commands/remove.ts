/** `packshot remove`: removes backgrounds from one photo or whole folders, locally or on a service. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { variants } from 'packshot-pixels';
import type { PackshotClient, Picture } from '../../clients/typescript/src/packshot-client.ts';
import type { Config } from '../config.ts';
import { listRecipes } from '../recipes/catalogue.ts';
import { hasChanged, type Photo } from './photo-run/find-photos.ts';
import {
  addPictureOptions,
  chooseTarget,
  defaultFolder,
  type OrderOptions,
  type PictureOrder,
  planOrder,
  type Target,
} from './photo-run/picture-target.ts';
import { createNamer, describeTarget, nameOutputs, openOutput } from './photo-run/place-outputs.ts';
import { changeOptions, flagOf } from './photo-run/recipe-changes.ts';
import { addReportOption, type ReportFileOptions } from './photo-run/report-file.ts';
import { chooseWatched, reportRun, runPhotos } from './photo-run/run-photos.ts';
import { splitOutput } from './photo-run/split-output.ts';
import { addCheckOption, type CheckOptions, checkPicture } from './shared/check-pictures.ts';
import {
  addEngineOptions,
  type EngineOptions,
  engineOptions,
  toEnvironment,
} from './shared/engine-options.ts';
import { describeLook, type LentLook, type NamedLook, openLook, readLook } from './shared/look-files.ts';
import { openService } from './shared/own-service.ts';
import { parseWhole } from './shared/parse-options.ts';
import { invalid, type Refuse, refuseWith } from './shared/refuse.ts';
import {
  addServerOptions,
  askService,
  lendPhoto,
  type ServerOptions,
  type Service,
} from './shared/service-client.ts';
import { loadToolConfig } from './shared/tool-config.ts';

interface Options extends OrderOptions, EngineOptions, ServerOptions, CheckOptions, ReportFileOptions {
  readonly watch?: boolean;
  readonly out?: string;
  /** Path of a look file (a saved scene or recipe), or id of a look on the service. */
  readonly look?: string;
  /** Former name of --ratio. */
  readonly variant?: string;
  readonly concurrency?: number;
  readonly overwrite?: boolean;
  readonly recursive?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Two photos keep the engine busy: one is read or written while the other is cut out. More only take memory. */
const ownConcurrency = Math.min(2, availableParallelism());

export function addRemove(program: Command): void {
  const command = program
    .command('remove')
    .summary('Remove the background from photos or whole folders.')
    .description(
      "Remove the background of photos. Without --recipe or --background: transparent PNGs of the photo's size, named like the photos.",
    )
    .usage('[options] <photo...> [output]')
    .argument(
      '<photo...>',
      'photos, folders of photos, URLs, or - for standard input; the last one may name the output',
    )
    .option(
      '-o, --out <where>',
      `output folder, or a file for a single picture, or - for standard output (default: "${defaultFolder}", or - if the photo is -)`,
    );
  addPictureOptions(command)
    .addOption(
      new Option(
        '--look <look>',
        'render every product in this look: a look file or, with --server, the id of a look',
      ).conflicts(['recipe', 'background', 'mask']),
    )
    .addOption(new Option('--variant <ratio>').choices(variants).conflicts('ratio').hideHelp())
    .addOption(
      new Option('--mask', 'write the mask (white is product) instead of the cutout').conflicts([
        'recipe',
        'ratio',
        'variant',
        ...changeOptions,
        'keepMetadata',
      ]),
    );
  addCheckOption(command);
  addReportOption(command);
  addEngineOptions(command)
    .option('--concurrency <n>', 'photos processed at a time', parseWhole(1, 64))
    .option('-r, --recursive', 'include subfolders, and create the same subfolders in the output')
    .addOption(
      new Option('--resume', 'skip pictures that an earlier run finished (the default)').conflicts(
        'overwrite',
      ),
    )
    .option('--overwrite', 'make every picture again, and replace existing files')
    .option('--watch', 'keep watching the folder, and process each photo that arrives or changes')
    .option('--json', 'print one JSON line per photo')
    .option('-q, --quiet', 'print failures only');
  addServerOptions(command).addHelpText('after', help).action(remove);
}

const help = `
Output: -o names it. Without -o, the last argument is the output if nothing of that name exists yet, or if it is a
folder that contains no photos or was written by an earlier run. A new name such as out.png means a file, for a single
photo; a new name without an extension means a folder. An ambiguous last argument is refused; the error shows the
command to type. To resume after an interruption, run the same command again.

Exit code: 0 all done, 1 some failed or did not pass --check, 2 invalid command line (nothing was changed), 130 interrupted.

Examples:
  packshot remove mug.jpg mug.png
  packshot remove photos/ out/                               transparent, at the photo's size
  packshot remove photos/ -o out/ --recipe Solid1_1_0035     a shop's photos on white
  packshot remove photos/ -o out/ --background '#F4F1EA' --ratio 4:5 --margin 5% --shadow contact
  packshot remove photos/ -o out/ --look on-sand.look.json   all in the same look, see docs/looks.md
  packshot remove mug.jpg mug-mask.png --mask
  cat mug.jpg | packshot remove - > mug.png
  packshot remove https://example.com/mug.jpg -o out/
  packshot remove photos/ -o out/ --json > out.jsonl
  packshot remove photos/ -o out/ --recipe Listing_amazon_main --check amazon
  packshot remove photos/ -o out/ --watch                    each photo that arrives, until Ctrl-C
  PACKSHOT_API_KEY=psk_live_... packshot remove photos/ -o out/ --server http://127.0.0.1:8080`;

/** Refuses a wrong command line before anything is made. */
async function planRun(words: readonly string[], given: Options, command: Command) {
  const refuse: Refuse = refuseWith(command);
  const options = given.variant === undefined ? given : { ...given, ratio: given.variant };
  const chosen = engineOptions.find((name) => options[name] !== undefined);
  if (options.server !== undefined && chosen)
    refuse(`${flagOf(chosen)} cannot be combined with --server: the service chooses its engine.`);
  const config = loadToolConfig(toEnvironment(options, refuse));
  const { photos, out } = await splitOutput(words, options.out, refuse);
  const target = await chooseTarget(photos, out, refuse);
  const server = await askService(options, command);
  const look =
    options.look === undefined
      ? undefined
      : await readLook(options.look, options.server !== undefined, refuse);
  const order = await planPictures(options, { look, target, server }, refuse);
  const watched = options.watch ? await chooseWatched(photos, target, refuse) : undefined;
  const named = watched
    ? new Map<Photo, string>()
    : await nameOutputs(photos, options, target, order, refuse);
  return { options, config, target, server, look, order, watched, named };
}

async function remove(words: readonly string[], given: Options, command: Command): Promise<void> {
  const plan = await planRun(words, given, command);
  const { options, config, target, server, look, order, watched, named } = plan;
  const { overwrite = false, recursive = false } = options;
  const settings = describeSettings(order, look, options.server ?? config.cutout);
  const output = await openOutput(target, { settings, overwrite });
  const nameArrival = createNamer(output, options.format, order);
  const nameOf = (photo: Photo): string => named.get(photo) ?? nameArrival(photo);
  const isDone = async (photo: Photo) => !overwrite && (await output.isDone(nameOf(photo), photo));
  const resumes = target.kind === 'folder';
  const run = { total: named.size, noun: 'photo', resumes, watched: watched?.folder };
  await reportRun({ ...options, ...run }, async ({ report, interrupts }) => {
    let opened: Promise<Service> | undefined;
    const open = () => (opened ??= openService(server, config, { onOpen: report.phase }));
    let lent: LentLook | undefined;

    async function reportEarlier(photo: Photo): Promise<void> {
      const path = output.pathOf(nameOf(photo));
      const checks =
        options.check && path !== null
          ? await checkPicture((await open()).client, await readFile(path), options.check)
          : undefined;
      report.end({ file: photo.name, state: 'skipped', output: path, checks });
    }

    async function make(photo: Photo, signal: AbortSignal): Promise<void> {
      const begunAt = performance.now();
      const { client, maxBytes } = await open();
      const isUncut = order.recipe?.mutations?.cutout === 'none';
      await lendPhoto(client, photo, { maxBytes, isUncut, signal }, async ({ id, subject }) => {
        const bytes = await (await askFor(client, id, order, lent, signal)).bytes();
        if (watched && (await hasChanged(photo))) throw invalid('The photo has changed.');
        const picture = nameOf(photo);
        await output.keep(picture, photo, bytes);
        const { confidence, issues } = subject;
        report.end({
          file: photo.name,
          state: 'done',
          output: output.pathOf(picture),
          ms: performance.now() - begunAt,
          issues,
          checks: await checkPicture(client, bytes, options.check),
          facts: { confidence },
        });
      });
    }

    try {
      const due: Photo[] = [];
      for (const photo of named.keys()) {
        if (await isDone(photo)) await reportEarlier(photo);
        else due.push(photo);
      }
      if (watched || due.length > 0) {
        const { client } = await open();
        lent = look === undefined ? undefined : await openLook(client, look);
      }
      const concurrency = options.concurrency ?? server?.calls ?? ownConcurrency;
      const watch = watched && { ...watched, recursive, pictures: 1, isDone };
      const where = describeTarget(target);
      return await runPhotos(due, { report, interrupts, concurrency, where, make, watch });
    } finally {
      // From here on, Ctrl-C ends the program.
      report.stop();
      interrupts.close();
      await lent?.giveBack();
      await opened?.catch(() => undefined).then((service) => service?.close());
    }
  });
}

/** Requests a photo's picture, once its cutout is ready. */
async function askFor(
  client: PackshotClient,
  id: string,
  { recipe, mask, format, quality, metadata }: PictureOrder,
  look: LentLook | undefined,
  signal: AbortSignal,
): Promise<Picture> {
  const kept = metadata && { metadata };
  if (mask) return client.matte(id, { signal });
  if (!recipe) return client.cutout(id, { format: format === 'webp' ? 'webp' : 'png', ...kept, signal });
  const request = { id, ...recipe, ...(look && { recipeId: look.id }), ...kept };
  return client.generate({ ...request, ...(quality !== undefined && { quality }) }, { format, signal });
}

/** All that a picture depends on except its photo; pictures made with other settings are made again. */
function describeSettings(
  order: PictureOrder,
  look: NamedLook | undefined,
  maker: string | Config['cutout'],
): string {
  const revision = listRecipes().find(({ id }) => id === order.recipe?.recipeId)?.revision;
  if (typeof maker === 'string') return JSON.stringify([order, look, revision, maker]);
  const { engine, mode } = maker;
  const model = engine.engine === 'onnx' ? [engine.modelFile] : [];
  return JSON.stringify([order, look, revision, [engine.engine, mode, ...model]]);
}

async function planPictures(
  options: Options,
  on: {
    readonly look: NamedLook | undefined;
    readonly target: Target;
    readonly server: Service | undefined;
  },
  refuse: Refuse,
): Promise<PictureOrder> {
  if (!on.look) return planOrder(options, on.target, on.server?.recipes ?? listRecipes(), refuse);
  const recipe = await describeLook(on.look, on.server);
  const chosen = { ...options, recipe: recipe.id, ratio: options.ratio ?? recipe.variants[0]! };
  return planOrder(chosen, on.target, [recipe], refuse);
}
