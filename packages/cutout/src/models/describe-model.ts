/** Finds a description and a name for a model file provided by an operator. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  descriptionPathOf,
  type ModelDescription,
  parseModelDescription,
} from '../engines/onnx-description.ts';
import { modelFamilies } from './listed-models.ts';
import { refused } from './model-file.ts';

export interface DescriptionSource {
  /** A path, or an https URL. */
  readonly from: string;
  /**
   * Key of `modelFamilies`. Default: the description is read from `descriptionFile`, or from the JSON file beside the
   * model file.
   */
  readonly family?: string;
  readonly descriptionFile?: string;
}

/**
 * Returns the description of the model's family, or reads `descriptionFile` or the JSON file beside the model file.
 * Rejects with `invalid_field` if the family is unknown, if there is no readable description, or if the description is
 * not JSON or states another SHA-256; with `internal` if the description's fields are invalid.
 */
export async function describeModel(
  { from, family, descriptionFile }: DescriptionSource,
  { name, sha256, isUrl }: { name: string; sha256: string; isUrl: boolean },
): Promise<ModelDescription> {
  const families = Object.keys(modelFamilies).join(', ');
  if (family !== undefined) {
    const known = modelFamilies[family];
    if (!known) throw refused(`There is no family ${family}. Known families: ${families}.`);
    const { input, output, licence } = known;
    return parseModelDescription(
      { name, input, output, licence, source: isUrl ? from : known.source, sha256 },
      family,
    );
  }
  const path = descriptionFile ?? (isUrl ? undefined : descriptionPathOf(from));
  const text = path && (await readFile(path, 'utf8').catch(() => undefined));
  if (!path || text === undefined)
    throw refused(
      `Nothing describes the model: name its family with --family (${families}), or write a JSON file as docs/engines.md shows.`,
    );
  let described: Partial<ModelDescription>;
  try {
    described = JSON.parse(text);
  } catch (error) {
    throw refused(`${path} is not valid JSON: ${error instanceof Error ? error.message : error}.`);
  }
  if (described.sha256 !== undefined && described.sha256 !== sha256)
    throw refused(`The file has the SHA-256 ${sha256}, but its description states ${described.sha256}.`);
  return parseModelDescription({ ...described, name, sha256 }, path);
}

/** Makes a model name: the file's name in lower case, without characters that a model name cannot contain. */
export function nameFrom(path: string): string {
  const name = basename(path)
    .replace(/\.onnx$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64);
  return name || `model-${randomUUID().slice(0, 8)}`;
}
