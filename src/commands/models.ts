/** `packshot models`: lists, checks, installs and removes the model files of the removal engines. */
import { type Command, InvalidArgumentError } from 'commander';
import {
  listedModels,
  listInstalledModels,
  listInstalledNames,
  listPackagedModels,
  listUnfinished,
  measureCopies,
  modelFamilies,
  removeModel,
} from 'packshot-cutout/models';
import { installModels } from './models/install-models.ts';
import { inMB, toListedLines, toStateLines } from './models/model-lines.ts';
import { invalid } from './shared/refuse.ts';
import { readModelsConfig } from './shared/tool-config.ts';

export function addModels(program: Command): void {
  const models = program.command('models').description('Manage the model files of the removal engines.');

  models
    .command('available')
    .description('List the models that can be installed by name. Nothing is downloaded.')
    .option('--json', 'print JSON')
    .action(listAvailable);

  models
    .command('list')
    .alias('installed')
    .description('List the included and the installed models. Verifies every file.')
    .option('--json', 'print JSON')
    .action(list);

  models
    .command('verify')
    .description('Check the files against their SHA-256. Exit code 1 if one differs.')
    .argument('[model]', 'only this model')
    .action(verify);

  models
    .command('install')
    .description(
      'Install a listed model by its name, a model file, every model file in a folder, or a model file from an https URL. Each model is opened once as a test.',
    )
    .argument(
      '<from>',
      'a name from `models available`, a .onnx file, a folder of .onnx files, or an https URL',
    )
    .option('--mirror <where>', 'folder or base URL with NAME.onnx, instead of the publisher', parseMirror)
    .option('--sha256 <hex>', 'expected SHA-256; required with a URL', parseSha256)
    .option(
      '--family <name>',
      `input format, if no JSON describes the model: ${Object.keys(modelFamilies).join(', ')}`,
    )
    .option('--description <file>', 'JSON that describes the model (default: the one next to the file)')
    .option('--name <name>', "name to install it under (default: the file's name)", parseName)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  packshot models install birefnet-lite          then REMOVAL_MODEL=birefnet-lite packshot serve
  packshot models install ./mine.onnx            with mine.json beside it, as docs/engines.md shows
  packshot models install birefnet-lite --mirror /mnt/models           without a network

An interrupted download continues where it stopped. HTTPS_PROXY and NO_PROXY apply.`,
    )
    .action(installModels);

  models
    .command('remove')
    .description('Remove an installed model, or a partial download.')
    .argument('<model>', 'from `models list`')
    .option('--json', 'print JSON')
    .action(async (name, options) => {
      await removeModel(readModelsConfig().modelsDir, name);
      console.log(options.json ? JSON.stringify({ removed: name }) : `${name} is removed.`);
    });
}

async function listAvailable(options: { readonly json?: boolean }): Promise<void> {
  const installed = new Set(await listInstalledNames(readModelsConfig().modelsDir));
  const rows = listedModels.map((model) => ({
    ...model,
    input: modelFamilies[model.family]!.input,
    output: modelFamilies[model.family]!.output,
    installed: installed.has(model.name),
  }));
  if (options.json) console.log(JSON.stringify(rows, null, 2));
  else for (const row of rows) console.log(toListedLines(row));
}

async function list(options: { readonly json?: boolean }): Promise<void> {
  const { modelsDir } = readModelsConfig();
  const all = [...(await listPackagedModels()), ...(await listInstalledModels(modelsDir))];
  if (options.json) {
    console.log(JSON.stringify(all, null, 2));
    return;
  }
  for (const model of all) console.log(toStateLines(model));
  for (const { name, bytes } of await listUnfinished(modelsDir))
    console.log(`${name}: unfinished, ${inMB(bytes)} so far; \`packshot models install ${name}\` continues`);
  const { copies, bytes } = await measureCopies(modelsDir);
  if (copies > 0) console.log(`Optimized copies: ${copies}, ${inMB(bytes)} in total; recreated if missing.`);
}

async function verify(name: string | undefined): Promise<void> {
  const every = [
    ...(await listPackagedModels()),
    ...(await listInstalledModels(readModelsConfig().modelsDir)),
  ];
  const all = every.filter((model) => !name || model.name === name);
  if (all.length === 0)
    throw invalid(`There is no model ${name}; \`packshot models list\` shows all of them.`);
  for (const model of all)
    console.log(`${model.problem ? 'BAD   ' : 'ok    '} ${model.name}  ${model.problem ?? ''}`.trimEnd());
  if (all.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
}

function parseMirror(where: string): string {
  if (where.includes('://') && !/^https?:\/\//.test(where))
    throw new InvalidArgumentError('Needs a folder, or an http or https URL.');
  return where;
}

function parseSha256(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Needs 64 hex digits.');
  return text.toLowerCase();
}

function parseName(text: string): string {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(text))
    throw new InvalidArgumentError('Use lowercase letters, digits, ".", "_" and "-" only.');
  return text;
}
