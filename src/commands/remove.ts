/** `packshot remove`: removes backgrounds from one photo or whole folders, locally or on a service. */
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import { listRecipes, variants } from '../recipes/catalogue.ts';
import type { Photo } from './photo-run/find-photos.ts';
import { openServiceFinisher } from './photo-run/finish-at-service.ts';
import { describeLook, openLookFinisher } from './photo-run/finish-in-look.ts';
import { openLocalFinisher, type PhotoFinisher, type PictureOrder } from './photo-run/finish-photo.ts';
import {
  chooseTarget,
  defaultFolder,
  formatChoices,
  type OrderOptions,
  parseQuality,
  parseWhole,
  planOrder,
  type Target,
} from './photo-run/picture-target.ts';
import { describeTarget, nameOutputs, type Output, openOutput } from './photo-run/place-outputs.ts';
import { addChangeOptions, changeOptions, flagOf } from './photo-run/recipe-changes.ts';
import { createRunReport, everySecond, type RunReport } from './photo-run/report-run.ts';
import { type Interrupts, listenForInterrupts, runFiles } from './photo-run/run-files.ts';
import { splitOutput } from './photo-run/split-output.ts';
import {
  addEngineOptions,
  type EngineOptions,
  engineOptions,
  toEnvironment,
} from './shared/engine-options.ts';
import { type NamedLook, readLook } from './shared/look-files.ts';
import { addServerOptions, askService, type ServerOptions, type Service } from './shared/service-client.ts';
import { loadToolConfig } from './shared/tool-config.ts';

interface Options extends OrderOptions, EngineOptions, ServerOptions {
  readonly out?: string;
  /** File or id of a look. */
  readonly look?: string;
  /** Former name of --ratio. */
  readonly variant?: string;
  readonly concurrency?: number;
  readonly overwrite?: boolean;
  readonly recursive?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Reads and writes one photo while another is cut out, which keeps the engine busy; more would only use memory. */
const localConcurrency = Math.min(2, availableParallelism());
/** Half of a service's default limit, since others may use the same key. */
const serviceConcurrency = 4;

export function addRemove(program: Command): void {
  const command = program
    .command('remove')
    .summary('Remove the background from photos or whole folders.')
    .description(
      "Remove the background of photos. Without --recipe or --background: transparent PNGs of the photo's own size, named like the photos.",
    )
    .usage('[options] <photo...> [output]')
    .argument(
      '<photo...>',
      'photos, folders of photos, URLs, or - for standard input; the last one may name the output',
    )
    .option(
      '-o, --out <where>',
      `output folder, or a file for a single picture, or - for standard output (default: "${defaultFolder}", or - if the photo is -)`,
    )
    .option('--recipe <recipe>', 'place the product on this recipe, such as Solid1_1_0035 (white)')
    .addOption(
      new Option('--look <file or id>', 'place every product in this look').conflicts([
        'recipe',
        'background',
        'mask',
      ]),
    );
  addChangeOptions(command)
    .addOption(
      new Option('--ratio <ratio>', "aspect ratio (default: 1:1, or the recipe's)").choices(variants),
    )
    .addOption(new Option('--variant <ratio>').choices(variants).conflicts('ratio').hideHelp())
    .addOption(
      new Option('--mask', 'write the mask (white is product) instead of the cutout').conflicts([
        'recipe',
        'ratio',
        'variant',
        ...changeOptions,
      ]),
    )
    .addOption(
      new Option('--format <format>', 'default: jpg on a recipe with a backdrop, else png').choices(
        formatChoices,
      ),
    )
    .option('--quality <n>', 'quality of a jpg, webp or avif file, 1 to 100', parseQuality);
  addEngineOptions(command)
    .option('--concurrency <n>', 'photos processed at a time', parseWhole(1, 64))
    .option('-r, --recursive', 'include folders inside folders, and create the same ones')
    .addOption(
      new Option('--resume', 'skip pictures that an earlier run finished (the default)').conflicts(
        'overwrite',
      ),
    )
    .option('--overwrite', 'make every picture again, and replace existing files')
    .option('--json', 'print one JSON line per photo')
    .option('-q, --quiet', 'print failures only');
  addServerOptions(command).addHelpText('after', help).action(remove);
}

const help = `
The output: -o names it. Without -o the last argument does if it is a new name (out.png for one photo, else a folder), or
a folder that is empty or was written by an earlier run. What could be either is refused, with the command to type.
An interrupted command continues where it stopped when it is run again.

Exit code: 0 all done, 1 some failed, 2 invalid command line (nothing was touched), 130 interrupted.

Examples:
  packshot remove mug.jpg mug.png
  packshot remove photos/ out/                               transparent, at the photo's own size
  packshot remove photos/ -o out/ --recipe Solid1_1_0035     a shop's photos on white
  packshot remove photos/ -o out/ --background '#F4F1EA' --ratio 4:5 --margin 5% --shadow contact
  packshot remove photos/ -o out/ --look on-sand.look.json   as one catalog, see docs/looks.md
  packshot remove mug.jpg mug-mask.png --mask
  cat mug.jpg | packshot remove - > mug.png
  packshot remove https://example.com/mug.jpg -o out/
  packshot remove photos/ -o out/ --json > out.jsonl
  PACKSHOT_API_KEY=psk_live_... packshot remove photos/ -o out/ --server http://127.0.0.1:8080`;

async function remove(words: readonly string[], given: Options, command: Command): Promise<void> {
  const refuse = (why: string): never => command.error(`error: ${why}`, { exitCode: 2 });
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
  const named = await nameOutputs(photos, options, target, order, refuse);
  const { engine, mode } = config.cutout;
  const settings = JSON.stringify([
    order,
    look,
    listRecipes().find(({ id }) => id === order.recipe?.recipeId)?.revision,
    options.server ?? [engine.engine, mode, ...(engine.engine === 'onnx' ? [engine.modelFile] : [])],
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
    everySecond,
  });
  const due: Photo[] = [];
  for (const [photo, picture] of named) {
    if (options.overwrite || !(await output.isDone(picture, photo))) due.push(photo);
    else report.end({ file: photo.name, state: 'skipped', output: output.pathOf(picture) });
  }
  const interrupts = listenForInterrupts(report.say);
  const concurrency =
    options.concurrency ?? Math.min(service?.inFlight ?? localConcurrency, serviceConcurrency);
  let finisher: PhotoFinisher | undefined;
  try {
    if (due.length > 0 && !service) report.phase(`Loading the removal engine ${engine.engine}`);
    if (due.length > 0)
      finisher = look
        ? await openLookFinisher(look, order, { service, config })
        : await openFinisher(service, config, order, concurrency);
    const { failures, left } = await finishAll(due, {
      named,
      output,
      report,
      interrupts,
      concurrency,
      where: describeTarget(target),
      finish: (photo, signal) => finisher!.finish(photo, signal),
    });
    process.exitCode = interrupts.exitCode() ?? (failures > 0 || left > 0 ? 1 : 0);
  } finally {
    report.stop();
    interrupts.close();
    await finisher?.close();
  }
}

async function planPictures(
  options: Options,
  on: {
    readonly look: NamedLook | undefined;
    readonly target: Target;
    readonly service: Service | undefined;
  },
  refuse: (why: string) => never,
): Promise<PictureOrder> {
  const recipes = on.service?.recipes ?? listRecipes();
  if (!on.look) return planOrder(options, on.target, recipes, refuse);
  const recipe = await describeLook(on.look, on.service);
  const chosen = { ...options, recipe: recipe.id, ratio: options.ratio ?? recipe.variants[0]! };
  return planOrder(chosen, on.target, [recipe], refuse);
}

interface Finishing {
  readonly named: ReadonlyMap<Photo, string>;
  readonly output: Output;
  readonly report: RunReport;
  readonly interrupts: Interrupts;
  readonly concurrency: number;
  /** For the summary. */
  readonly where: string;
  readonly finish: PhotoFinisher['finish'];
}

async function finishAll(
  due: readonly Photo[],
  { named, output, report, interrupts, concurrency, where, finish }: Finishing,
): Promise<{ readonly failures: number; readonly left: number }> {
  let failures = 0;
  const { left, stoppedBy } = await runFiles(due, {
    concurrency,
    interrupts,
    async work(photo, signal) {
      const begunAt = performance.now();
      report.begin(photo.name);
      const { picture: bytes, confidence, issues } = await finish(photo, signal);
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
    where,
    why: stoppedBy && `Stopped: ${stoppedBy.detail}`,
    stopped: left > 0,
  });
  return { failures, left };
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
