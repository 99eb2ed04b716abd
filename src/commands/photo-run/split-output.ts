/** Finds the output among the arguments if -o is missing: `packshot remove in.jpg out.png`, as in rembg. */
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Refuse } from '../shared/refuse.ts';
import { isPhotoName } from './find-photos.ts';
import { journalName } from './output-folder.ts';
import { formatOfName, isFolder, isUnwritableName, writableFormats } from './picture-target.ts';

interface Split {
  readonly photos: readonly string[];
  /** Undefined if the command line names none. */
  readonly out: string | undefined;
}

/** `-o` always takes precedence. If the last argument could be either a photo or the output, it is refused. */
export async function splitOutput(
  words: readonly string[],
  out: string | undefined,
  refuse: Refuse,
): Promise<Split> {
  const last = words.at(-1)!;
  const asPhotos = { photos: words, out };
  if (out !== undefined || words.length < 2 || last === '-' || /^https?:\/\//i.test(last)) return asPhotos;
  const before = words.slice(0, -1);
  const asOutput = { photos: before, out: last };
  const facts = await stat(last).catch(() => undefined);
  if (facts?.isDirectory()) {
    if (!(await looksLikeInput(last))) return asOutput;
    return refuse(
      `${last} holds photos or folders, so it could be more input or the output. ${suggest(words, before, last)}`,
    );
  }
  if (facts) {
    const isSecondOfTwo = words.length === 2 && formatOfName(last) !== undefined;
    // Two files of the same type count as two photos, because the shell may have expanded `*.jpg` to them.
    if (!isSecondOfTwo || extname(last).toLowerCase() === extname(before[0]!).toLowerCase()) return asPhotos;
    return refuse(
      `${last} exists, so it could be a second photo or the output. ${suggest(words, before, last)}`,
    );
  }
  if (last.endsWith('/')) return asOutput;
  if (isUnwritableName(last)) refuse(`${last}: ${writableFormats}`);
  if (!isPhotoName(last)) return asOutput;
  if (before.length === 1 && !(await isFolder(before[0]!))) return asOutput;
  return refuse(
    `There is no file or folder ${last}. Several pictures need an output folder: packshot remove ${before.join(' ')} -o out/`,
  );
}

const suggest = (all: readonly string[], before: readonly string[], last: string): string =>
  `Use one of:
  packshot remove ${before.join(' ')} -o ${last}
  packshot remove ${all.join(' ')} -o out/`;

/**
 * Whether the folder contains photos or subfolders, which may contain photos, and no journal that would identify them
 * as results.
 */
async function looksLikeInput(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  if (names.includes(journalName)) return false;
  for (const name of names) {
    if (!name.startsWith('.') && (isPhotoName(name) || (await isFolder(join(folder, name))))) return true;
  }
  return false;
}
