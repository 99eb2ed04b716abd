/** `packshot remove`: removes backgrounds from one photo or whole folders, locally or on a service. */
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import { listRecipes, variants } from '../recipes/catalogue.ts';
import type { Photo } from './photo-run/find-photos.ts';
import { arrivalsOf, chooseWatched, finishAll, reportEarlier } from './photo-run/finish-all.ts';
import { describeLook, openLookFinisher, openServiceFinisher } from './photo-run/finish-at-service.ts';
import { openLocalFinisher, type PhotoFinisher, type PictureOrder } from './photo-run/finish-photo.ts';
import {
  addPictureOptions,
  chooseTarget,
  defaultFolder,
  type OrderOptions,
  planOrder,
  type Target,
} from './photo-run/picture-target.ts';
import { createNamer, describeTarget, nameOutputs, openOutput } from './photo-run/place-outputs.ts';
import { changeOptions, flagOf } from './photo-run/recipe-changes.ts';
import { createRunReport } from './photo-run/report-run.ts';
import { listenForInterrupts } from './photo-run/run-files.ts';
import { splitOutput } from './photo-run/split-output.ts';
import { addCheckOption, type CheckOptions, openPictureChecker } from './shared/check-pictures.ts';
import {
  addEngineOptions,
  type EngineOptions,
  engineOptions,
  toEnvironment,
} from './shared/engine-options.ts';
import { type NamedLook, readLook } from './shared/look-files.ts';
import { parseWhole } from './shared/parse-options.ts';
import { type Refuse, refuseWith } from './shared/refuse.ts';
import { addServerOptions, askService, type ServerOptions, type Service } from './shared/service-client.ts';
import { loadToolConfig } from './shared/tool-config.ts';

interface Options extends OrderOptions, EngineOptions, ServerOptions, CheckOptions {
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
const localConcurrency = Math.min(2, availableParallelism());
/** Half of a service's default limit of concurrent calls, because others may use the same key. */
const serviceConcurrency = 4;

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

async function remove(words: readonly string[], given: Options, command: Command): Promise<void> {
  const refuse: Refuse = refuseWith(command);
  const options = given.variant === undefined ? given : { ...given, ratio: given.variant };
  const chosen = engineOptions.find((name) => options[name] !== undefined);
  if (options.server !== undefined && chosen)
    refuse(`${flagOf(chosen)} cannot be combined with --server: the service chooses its engine.`);
  const config = loadToolConfig(toEnvironment(options, refuse));
  const { photos, out } = await splitOutput(words, options.out, refuse);
  const target = await chooseTarget(photos, out, refuse);
  const service = await askService(options, command);
  const look = options.look && (await readLook(options.look, options.server !== undefined, refuse));
  const order = await planPictures(options, { look, target, service }, refuse);
  const watched = options.watch ? await chooseWatched(photos, target, refuse) : undefined;
  const named = watched
    ? new Map<Photo, string>()
    : await nameOutputs(photos, options, target, order, refuse);
  const { overwrite = false, recursive = false, json, quiet } = options;
  const settings = describeSettings(order, look, options.server ?? config.cutout);
  const output = await openOutput(target, { settings, overwrite });
  const resumes = target.kind === 'folder';
  const report = createRunReport({ total: named.size, noun: 'photo', resumes, watched, json, quiet });
  const checker = options.check && openPictureChecker(config, options.check);
  const interrupts = listenForInterrupts(report.say);
  const concurrency =
    options.concurrency ?? Math.min(service?.inFlight ?? localConcurrency, serviceConcurrency);
  const nameArrival = createNamer(output, options.format, order);
  const nameOf = (photo: Photo): string => named.get(photo) ?? nameArrival(photo);
  const isDone = async (photo: Photo) => !overwrite && (await output.isDone(nameOf(photo), photo));
  const outputFolder = target.kind === 'folder' ? target.path : '';
  let finisher: PhotoFinisher | undefined;
  try {
    const due: Photo[] = [];
    for (const photo of named.keys()) {
      if (!(await isDone(photo))) due.push(photo);
      else await reportEarlier(photo, output.pathOf(nameOf(photo)), { report, checker });
    }
    if (watched || due.length > 0) {
      if (!service) report.phase(`Loading the removal engine ${config.cutout.engine.engine}`);
      finisher = await openFinisher({ look, service, config, order, concurrency });
    }
    const arrivals = watched && arrivalsOf(watched, { recursive, out: outputFolder, report, isDone });
    process.exitCode = await finishAll(arrivals || due, {
      nameOf,
      output,
      report,
      interrupts,
      concurrency,
      where: describeTarget(target),
      finish: (photo, signal) => finisher!.finish(photo, signal),
      checker,
      watches: watched !== undefined,
    });
  } finally {
    report.stop();
    interrupts.close();
    await Promise.all([finisher?.close(), checker?.close()]);
  }
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
  on: Pick<Finishers, 'look' | 'service'> & { readonly target: Target },
  refuse: Refuse,
): Promise<PictureOrder> {
  const recipes = on.service?.recipes ?? listRecipes();
  if (!on.look) return planOrder(options, on.target, recipes, refuse);
  const recipe = await describeLook(on.look, on.service);
  const chosen = { ...options, recipe: recipe.id, ratio: options.ratio ?? recipe.variants[0]! };
  return planOrder(chosen, on.target, [recipe], refuse);
}

interface Finishers {
  readonly look: NamedLook | undefined;
  readonly service: Service | undefined;
  readonly config: Config;
  readonly order: PictureOrder;
  readonly concurrency: number;
}

async function openFinisher(needs: Finishers): Promise<PhotoFinisher> {
  const { look, service, config, order, concurrency } = needs;
  if (look) return openLookFinisher(look, order, { service, config });
  if (service) return openServiceFinisher(service.client, order, service.maxBytes);
  return openLocalFinisher(config, order, concurrency);
}
