/**
 * The output folder for pictures. Each picture is written atomically, and a journal in the folder records the
 * photo and settings that each was made from, so that a second run continues where the first one stopped.
 *
 * A picture is written in four steps: write it under a hidden name and sync; delete any older file of its final name;
 * append an entry to the journal; rename the hidden file to the final name. So even if the process dies between two
 * steps, every picture in the folder matches its journal entry.
 */
import { constants, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import { invalid } from '../shared/refuse.ts';
import { type Photo, photoId } from './find-photos.ts';

export const journalName = '.packshot.jsonl';

const entrySchema = z.object({
  /** Path relative to the folder, with its extension. */
  picture: z.string(),
  /** A URL, or a path relative to the input folder. */
  photo: z.string(),
  version: z.object({ bytes: z.number(), changedMs: z.number() }).optional(),
  /** What the picture depends on besides the photo, such as recipe, format and engine. */
  settings: z.string(),
});

export type OutputFolder = Awaited<ReturnType<typeof openOutputFolder>>;

export async function openOutputFolder(
  folder: string,
  { settings, overwrite }: { readonly settings: string; readonly overwrite: boolean },
) {
  const journal = join(folder, journalName);
  const journaled = await mapStorageErrors(async () => {
    await mkdir(folder, { recursive: true });
    return readJournal(journal);
  });
  const toEntry = (picture: string, photo: Photo) =>
    JSON.stringify({ picture, photo: photoId(photo), version: photo.version, settings });

  return {
    pathOf: (picture: string): string => join(folder, picture),

    /** Whether the picture exists and was made from this version of the photo with the same settings. */
    async isDone(picture: string, photo: Photo): Promise<boolean> {
      return journaled.get(picture) === toEntry(picture, photo) && (await exists(join(folder, picture)));
    },

    /** The photo from which an earlier picture of this name was made: its `Photo.path`, or its URL. */
    photoOf(picture: string): string | undefined {
      const entry = journaled.get(picture);
      return entry === undefined ? undefined : (JSON.parse(entry) as z.infer<typeof entrySchema>).photo;
    },

    /**
     * Writes the picture and its journal entry. Throws `storage_full` or `storage_unavailable`. Without `overwrite`,
     * also throws `invalid_field` if there is a file of this name that this command did not make.
     */
    async keep(picture: string, photo: Photo, bytes: Uint8Array): Promise<void> {
      const path = join(folder, picture);
      if (!overwrite && !journaled.has(picture) && (await exists(path))) {
        throw invalid(`${path} exists and was not made by this command. --overwrite replaces it.`);
      }
      const entry = toEntry(picture, photo);
      await mapStorageErrors(async () => {
        await mkdir(dirname(path), { recursive: true });
        const hidden = await writeHidden(path, bytes);
        await rm(path, { force: true });
        // Starts with a newline, so that a line cut short by a power failure does not corrupt the next one.
        await appendEntry(journal, `\n${entry}`);
        await rename(hidden, path);
      });
      journaled.set(picture, entry);
    },
  };
}

/** Records the photos whose scenes are complete, so that `packshot scene --watch` skips them when it is restarted. */
export async function openSceneJournal(folder: string, settings: string) {
  const path = join(folder, '.packshot-scenes.jsonl');
  const done = await mapStorageErrors(async () => {
    await mkdir(folder, { recursive: true });
    return readJournal(path);
  });
  const toEntry = ({ path, version }: Photo) =>
    JSON.stringify({ picture: path, photo: path, version, settings });
  return {
    isDone: (photo: Photo): boolean => done.get(photo.path) === toEntry(photo),
    async note(photo: Photo): Promise<void> {
      await mapStorageErrors(() => appendEntry(path, `\n${toEntry(photo)}`));
      done.set(photo.path, toEntry(photo));
    },
  };
}

/**
 * Saves pictures that would differ in a rerun, each under an unused name, so that none replaces an earlier one:
 * `mug-2.jpg` if `mug.jpg` exists.
 */
export function createFreshKeeper(folder: string) {
  const taken = new Set<string>();

  async function findFree(stem: string, extension: string): Promise<string> {
    for (let number = 1; ; number++) {
      const path = join(folder, `${stem}${number === 1 ? '' : `-${number}`}.${extension}`);
      if (taken.has(path)) continue;
      // Reserve the path before the first await: another picture may be looking for a free path concurrently.
      taken.add(path);
      if (!(await exists(path))) return path;
    }
  }

  /** Returns the picture's path. Throws `storage_full` and `storage_unavailable`. */
  return async function keepFresh(stem: string, extension: string, bytes: Uint8Array): Promise<string> {
    const path = await findFree(stem, extension);
    await writeWhole(path, bytes);
    return path;
  };
}

type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Writes a file atomically to the given path, replacing any existing file. */
export async function writeWhole(path: string, bytes: Content): Promise<void> {
  await mapStorageErrors(async () => {
    await mkdir(dirname(path), { recursive: true });
    await rename(await writeHidden(path, bytes), path);
  });
}

/** Each path has one fixed temporary name, so that the next write to it removes leftovers. Follows no symlink. */
async function writeHidden(path: string, bytes: Content): Promise<string> {
  const hidden = join(dirname(path), `.${basename(path)}.part`);
  try {
    await rm(hidden, { force: true });
    await writeFile(hidden, bytes, { flag: 'wx', flush: true });
  } catch (error) {
    await rm(hidden, { force: true }).catch(() => undefined);
    throw error;
  }
  return hidden;
}

/** Another user of the folder may have replaced the journal with a symlink: never write through a symlink. */
const flag = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
const appendEntry = (journal: string, text: string) => writeFile(journal, text, { flag, flush: true });

/** Returns the last entry of each picture. Ignores incomplete lines, which a killed process may have left. */
async function readJournal(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (isSystemError(error) && error.code === 'ENOENT') return '';
    throw error;
  });
  const entries = new Map<string, string>();
  for (const line of text.split('\n')) {
    const entry = parseEntry(line);
    if (entry) entries.set(entry.picture, JSON.stringify(entry));
  }
  return entries;
}

function parseEntry(line: string): z.infer<typeof entrySchema> | undefined {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function mapStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    if (cause.code === 'ENOSPC' || cause.code === 'EDQUOT') {
      throw new PackshotError('storage_full', 'There is no space left for the pictures.', { cause });
    }
    throw new PackshotError('storage_unavailable', `The pictures cannot be written: ${cause.message}.`, {
      cause,
    });
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
