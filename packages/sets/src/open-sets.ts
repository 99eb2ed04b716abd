/** Reads the files of sets and places: those that come with the service, and an operator's own. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isTag } from './dictionary.ts';
import { type PlaceFile, placeFileSchema, type SceneFile, type SetFile, setFileSchema } from './set-file.ts';

export interface SceneFiles {
  readonly sets: readonly SetFile[];
  readonly places: readonly PlaceFile[];
}

/** Says which file and which field is wrong, and how to mend it. */
export class SetFileError extends Error {}

const maxBytes = 64 * 1024;

const built = fileURLToPath(new URL('./data/', import.meta.url));

/** The sets and places that come with the service. */
export const builtIn: SceneFiles = sort([
  ...readFolder(join(built, 'sets')),
  ...readFolder(join(built, 'places')),
]);

/** The service's own sets and an operator's; either all files of the folder are usable, or it throws `SetFileError`. */
export function openSets(folder: string | undefined): SceneFiles {
  if (folder === undefined) return builtIn;
  const own = readFolder(folder);
  const known = new Set([...builtIn.sets, ...builtIn.places].map(({ id }) => id));
  const twice = own.find(({ id }) => known.has(id));
  if (twice)
    throw new SetFileError(
      `${join(folder, `${twice.id}.json`)}: id: "${twice.id}" is built in. Choose another id.`,
    );
  return sort([...builtIn.sets, ...builtIn.places, ...own]);
}

function sort(files: readonly SceneFile[]): SceneFiles {
  return {
    sets: files.filter((file) => file.kind === 'set'),
    places: files.filter((file) => file.kind === 'place'),
  };
}

function readFolder(folder: string): SceneFile[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (cause) {
    throw new SetFileError(
      `${folder}: the folder of sets cannot be read. Check SETS_DIR and its permissions.`,
      { cause },
    );
  }
  return names.sort().map((name) => readSetFile(join(folder, name)));
}

/** Throws `SetFileError`. */
export function readSetFile(path: string): SceneFile {
  const fail = (what: string): never => {
    throw new SetFileError(`${path}: ${what}`);
  };
  let value: unknown;
  try {
    const bytes = readFileSync(path);
    if (bytes.length > maxBytes) fail(`has ${bytes.length} bytes; a set needs at most ${maxBytes}.`);
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SetFileError) throw error;
    fail(`is not readable JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const kind = z.object({ kind: z.enum(['set', 'place']) }).safeParse(value);
  if (!kind.success) return fail('kind: is missing. Write "kind": "set" or "kind": "place".');
  const read = (kind.data.kind === 'set' ? setFileSchema : placeFileSchema).safeParse(value);
  if (!read.success) return fail(describeIssues(read.error));
  if (read.data.id !== basename(path, '.json'))
    return fail(`id: is "${read.data.id}". Name it like the file: "${basename(path, '.json')}".`);
  const unknown = read.data.tags.find((tag) => !isTag(tag));
  if (unknown !== undefined)
    return fail(
      `tags: "${unknown}" is not in the dictionary. Choose one from docs/prompt-words.md, or put it into "words".`,
    );
  return read.data;
}

/** All issues, each with its field. */
function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`).join('\n  ');
}
