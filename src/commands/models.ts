/** `packshot models`: list, check, install and remove the model files of the removal engines. */
import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config.ts';
import {
  findModelFiles,
  installModel,
  listInstalledModels,
  listPackagedModels,
  type ModelState,
  measureCopies,
  removeModel,
} from '../cutout/models/installed-models.ts';
import { modelFamilies } from '../cutout/models/model-families.ts';
import { PackshotError } from '../errors.ts';
import { listenForStops } from './shared/stop-signals.ts';

interface InstallOptions {
  readonly sha256?: string;
  readonly family?: string;
  readonly description?: string;
  readonly name?: string;
}

export function addModels(program: Command): void {
  const models = program.command('models').description('Manage the model files of the removal engines.');

  models
    .command('list')
    .description('List the included and the installed models. Verifies every file.')
    .option('--json', 'print JSON')
    .action(async (options) => {
      const { modelsDir } = readConfig();
      const all = [...(await listPackagedModels()), ...(await listInstalledModels(modelsDir))];
      if (options.json) {
        console.log(JSON.stringify(all, null, 2));
        return;
      }
      for (const model of all) console.log(toLines(model));
      const { copies, bytes } = await measureCopies(modelsDir);
      if (copies > 0)
        console.log(`Optimised copies: ${copies} of ${inMegabytes(bytes)}, made again when missing.`);
    });

  models
    .command('verify')
    .description('Check the files against their SHA-256. Exit code 1 if one differs.')
    .argument('[model]', 'only this model')
    .action(async (name) => {
      const every = [...(await listPackagedModels()), ...(await listInstalledModels(readConfig().modelsDir))];
      const all = every.filter((model) => !name || model.name === name);
      if (all.length === 0)
        throw new PackshotError(
          'invalid_field',
          `There is no model ${name}; \`packshot models list\` shows all of them.`,
        );
      for (const model of all)
        console.log(`${model.problem ? 'BAD   ' : 'ok    '} ${model.name}  ${model.problem ?? ''}`.trimEnd());
      if (all.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
    });

  models
    .command('install')
    .description(
      'Install a model file, every model file of a folder, or one from an https URL. Each is opened once as a test.',
    )
    .argument('<from>', '.onnx file, folder of them, or https URL')
    .option('--sha256 <hex>', 'expected SHA-256; required with a URL', parseSha256)
    .option(
      '--family <name>',
      `input format, if no JSON describes the model: ${Object.keys(modelFamilies).join(', ')}`,
    )
    .option('--description <file>', 'JSON that describes the model (default: the one next to the file)')
    .option('--name <name>', "name to install it under (default: the file's name)", parseName)
    .action(install);

  models
    .command('remove')
    .description('Remove an installed model.')
    .argument('<model>', 'from `models list`')
    .action(async (name) => {
      await removeModel(readConfig().modelsDir, name);
      console.log(`${name} is removed.`);
    });
}

async function install(from: string, options: InstallOptions): Promise<void> {
  const { modelsDir, threads } = readConfig();
  const { sha256, family, description: descriptionFile, name } = options;
  const sources = /^[a-z]+:\/\//i.test(from) ? [from] : await findModelFiles(from);
  if (sources.length > 1 && (sha256 || name || descriptionFile))
    throw new PackshotError(
      'invalid_field',
      '--sha256, --name and --description are for one file, not for a folder.',
    );
  // Ctrl-C ends the copying, and what was copied goes.
  const stop = new AbortController();
  listenForStops(() => stop.abort(new PackshotError('invalid_field', 'Stopped; nothing was installed.')));
  for (const source of sources) {
    const description = await installModel(modelsDir, {
      from: source,
      threads,
      signal: stop.signal,
      ...(sha256 !== undefined && { sha256 }),
      ...(family !== undefined && { family }),
      ...(descriptionFile !== undefined && { descriptionFile }),
      ...(name !== undefined && { name }),
      ...(process.stderr.isTTY && { onProgress: makeProgressLine() }),
    });
    if (process.stderr.isTTY) process.stderr.write('\n');
    console.log(`${description.name} is installed. Licence: ${description.licence}`);
    console.log(`Use it with REMOVAL_ENGINE=onnx MODEL_FILE=${description.name}`);
    const uncertain = family && modelFamilies[family]?.uncertain;
    if (uncertain) console.log(`Uncertain: ${uncertain}`);
  }
}

function readConfig(): { modelsDir: string; threads: number } {
  // Whatever engine is chosen, its settings are not what this needs; they may name a model not yet installed.
  const { REMOVAL_ENGINE: _, ...environment } = process.env;
  const { cutout } = loadConfig(environment);
  return { modelsDir: cutout.modelsDir, threads: cutout.threads };
}

function toLines({ name, origin, bytes, sha256, licence, problem }: ModelState): string {
  const state = problem === undefined ? 'verified' : `NOT VERIFIED: ${problem}`;
  const head = [
    name.padEnd(28),
    origin.padEnd(10),
    inMegabytes(bytes).padStart(10),
    sha256.slice(0, 12),
    state,
  ];
  return `${head.join('  ')}\n    ${licence}`;
}

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** One line that rewrites itself, ten times a second at most. */
function makeProgressLine(): (bytes: number, totalBytes: number | undefined) => void {
  let shownAt = 0;
  return (bytes, totalBytes) => {
    const done = bytes === totalBytes;
    if (!done && performance.now() - shownAt < 100) return;
    shownAt = performance.now();
    const share = totalBytes
      ? ` of ${inMegabytes(totalBytes)}, ${Math.floor((bytes / totalBytes) * 100)} %`
      : '';
    process.stderr.write(`\r${inMegabytes(bytes)}${share}   `);
  };
}

function parseSha256(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Needs 64 hex digits.');
  return text.toLowerCase();
}

function parseName(text: string): string {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(text))
    throw new InvalidArgumentError('Needs lower case letters, digits, ".", "_" and "-".');
  return text;
}
