/**
 * Installs a model in the models folder: a file on this machine, a file at a URL, or a model that is listed by name.
 */
import { resolve } from 'node:path';
import { parseModelDescription } from '../engines/onnx-description.ts';
import { type DescriptionSource, describeModel, nameFrom } from './describe-model.ts';
import { keepFirstChecksum, readFirstChecksum } from './first-checksums.ts';
import { type ListedModel, modelFamilies } from './listed-models.ts';
import { refused } from './model-file.ts';
import { type InstallSettings, type PlacedModel, type PlacementPlan, placeModel } from './place-model.ts';

export interface InstallRequest extends InstallSettings, DescriptionSource {
  /** The expected checksum; required for a URL. */
  readonly sha256?: string;
  /** Name of the model. Default: the name of the file, in lower case. */
  readonly name?: string;
}

export interface InstalledModel extends PlacedModel {
  /**
   * What the file was checked against: a given or published checksum, or the first download from the same
   * URL. `nothing` for that first download itself, and for a file on this machine for which no SHA-256 was given.
   */
  readonly checked: 'checksum' | 'first download' | 'nothing';
}

/**
 * Copies or downloads the file, verifies it, opens it once as the engine would, and only then moves it into place.
 * Rejects with the reason for the failure. After a failure, a download is kept unless its checksum is wrong; all other
 * files of this attempt are deleted.
 */
export async function installModel(modelsDir: string, request: InstallRequest): Promise<InstalledModel> {
  const { from, sha256 } = request;
  const isUrl = isUrlText(from);
  if (isUrl && sha256 === undefined)
    throw refused(
      'A file from a URL needs --sha256, as stated by its publisher, because nothing else verifies the file.',
    );
  const name = request.name ?? nameFrom(isUrl ? new URL(from).pathname : from);
  const plan = {
    ...request,
    isUrl,
    name,
    sha256,
    describe: (found: string) => describeModel(request, { name, sha256: found, isUrl }),
  };
  return { ...(await placeModel(modelsDir, plan)), checked: sha256 ? 'checksum' : 'nothing' };
}

export interface ListedRequest extends InstallSettings {
  /** Folder or base URL with `NAME.onnx`, used instead of the publisher's URL. */
  readonly mirror?: string | undefined;
}

/** Installs a listed model, with the same guarantees as `installModel`. */
export async function installListed(
  modelsDir: string,
  model: ListedModel,
  { mirror, ...settings }: ListedRequest,
): Promise<InstalledModel> {
  const { name, url, bytes, licence } = model;
  const family = modelFamilies[model.family]!;
  const published = model.sha256 !== undefined;
  const sha256 = model.sha256 ?? (await readFirstChecksum(modelsDir, url));
  const from = mirror === undefined ? url : mirrored(mirror, name);
  const plan: PlacementPlan = {
    ...settings,
    from,
    isUrl: isUrlText(from),
    // The checksum verifies the file, whatever the protocol.
    allowHttp: mirror !== undefined && sha256 !== undefined,
    name,
    bytes,
    sha256,
    describe: async (found) => {
      const { input, output } = family;
      return parseModelDescription({ name, input, output, licence, source: url, sha256: found }, name);
    },
  };
  const installed = await placeModel(modelsDir, plan);
  if (published) return { ...installed, checked: 'checksum' };
  if (sha256 !== undefined) return { ...installed, checked: 'first download' };
  await keepFirstChecksum(modelsDir, url, installed.description.sha256);
  return { ...installed, checked: 'nothing' };
}

const isUrlText = (text: string): boolean => /^[a-z]+:\/\//i.test(text);

function mirrored(mirror: string, name: string): string {
  const file = `${name}.onnx`;
  return isUrlText(mirror)
    ? new URL(file, mirror.endsWith('/') ? mirror : `${mirror}/`).href
    : resolve(mirror, file);
}
