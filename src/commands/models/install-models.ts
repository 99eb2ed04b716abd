/** `packshot models install`: installs models by listed name, from files, or from a URL. */
import {
  findListed,
  findModelFiles,
  type InstalledModel,
  type InstallRequest,
  installListed,
  installModel,
  modelFamilies,
} from 'packshot-cutout/models';
import { invalid } from '../shared/refuse.ts';
import { listenForStops } from '../shared/stop-signals.ts';
import { readModelsConfig } from '../shared/tool-config.ts';
import { inMB, makeProgress, toInstalledLine } from './model-lines.ts';

interface InstallOptions {
  readonly mirror?: string;
  readonly sha256?: string;
  readonly family?: string;
  readonly description?: string;
  readonly name?: string;
  readonly json?: boolean;
}

export async function installModels(from: string, options: InstallOptions): Promise<void> {
  const stop = new AbortController();
  listenForStops(() => stop.abort(invalid('Stopped; nothing was installed. The partial download is kept.')));
  const onProgress = makeProgress(process.stderr);
  const settings = { session: readModelsConfig().session, signal: stop.signal, onProgress };
  const installed = findListed(from)
    ? [await installByName(from, options, settings)]
    : await installFiles(from, options, settings);
  onProgress.end();
  if (options.json) {
    const answers = installed.map(({ description, ...rest }) => ({ ...description, ...rest }));
    console.log(JSON.stringify(answers, null, 2));
    return;
  }
  for (const model of installed) console.log(toInstalledLine(model));
  const uncertain = modelFamilies[findListed(from)?.family ?? options.family ?? '']?.uncertain;
  if (uncertain) console.log(`Uncertain: ${uncertain}`);
}

type Settings = Pick<InstallRequest, 'session' | 'signal' | 'onProgress'>;

async function installByName(
  from: string,
  options: InstallOptions,
  settings: Settings,
): Promise<InstalledModel> {
  if (options.sha256 || options.family || options.description || options.name)
    throw invalid(
      `${from} is a listed model, so --sha256, --family, --description and --name do not apply. If you mean a file, write ./${from}.`,
    );
  const model = findListed(from)!;
  const { mirror } = options;
  const size = model.bytes === undefined ? 'size not published' : inMB(model.bytes);
  console.error(`${model.name}, ${size}, from ${mirror ?? new URL(model.url).host}`);
  console.error(`License: ${model.licence} (${model.licenceUrl})`);
  if (model.sha256 === undefined)
    console.error(
      'Its publisher provides no checksum: the first download is trusted, and later downloads must match it.',
    );
  return installListed(readModelsConfig().modelsDir, model, { ...settings, mirror });
}

async function installFiles(
  from: string,
  options: InstallOptions,
  settings: Settings,
): Promise<InstalledModel[]> {
  const { sha256, family, description: descriptionFile, name } = options;
  if (options.mirror) throw invalid('--mirror applies to listed models.');
  const sources = /^[a-z]+:\/\//i.test(from) ? [from] : await findModelFiles(from);
  if (sources.length > 1 && (sha256 || name || descriptionFile))
    throw invalid('--sha256, --name and --description apply to a single file, not to a folder.');
  const installed: InstalledModel[] = [];
  for (const source of sources) {
    installed.push(
      await installModel(readModelsConfig().modelsDir, {
        ...settings,
        from: source,
        ...(sha256 !== undefined && { sha256 }),
        ...(family !== undefined && { family }),
        ...(descriptionFile !== undefined && { descriptionFile }),
        ...(name !== undefined && { name }),
      }),
    );
  }
  return installed;
}
