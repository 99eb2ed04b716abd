/**
 * The folder that pictures go to. Each appears in it whole or not at all, and a journal beside them says what each was
 * made from and how: that is what lets a second run go on where the first one ended.
 *
 * A picture is made in four steps: it is written under a hidden name and synced; an older one of its name goes; the
 * journal gets its line; it gets its name. Whatever ends the process between two of them, the journal never vouches
 * for a picture that is another one.
 */
import { constants, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { PackshotError } from '../../errors.ts';
import type { Photo } from './find-photos.ts';

export const journalName = '.packshot.jsonl';

const entrySchema = z.object({
  /** Below the folder, with its extension. */
  picture: z.string(),
  /** A URL, or a path below the folder that was worked on. */
  photo: z.string(),
  version: z.object({ bytes: z.number(), changedMs: z.number() }).optional(),
  /** Recipe, format and engine. */
  settings: z.string(),
});

export interface OutputFolder {
  /** Where the picture goes. */
  pathOf(picture: string): string;
  /** Whether it is there, made from this very photo with the same settings. */
  isDone(picture: string, photo: Photo): Promise<boolean>;
  /** Throws `storage_full` and `storage_unavailable`; and `invalid_field` where somebody else's file is in the way. */
  keep(picture: string, photo: Photo, bytes: Uint8Array): Promise<void>;
}

export async function openOutputFolder(
  folder: string,
  { settings, overwrite }: { readonly settings: string; readonly overwrite: boolean },
): Promise<OutputFolder> {
  const journal = join(folder, journalName);
  const made = await written(async () => {
    await mkdir(folder, { recursive: true });
    return readJournal(journal);
  });
  const toEntry = (picture: string, { name, kind, path, version }: Photo) =>
    JSON.stringify({ picture, photo: kind === 'url' ? name : path, version, settings });

  return {
    pathOf: (picture) => join(folder, picture),

    async isDone(picture, photo) {
      return made.get(picture) === toEntry(picture, photo) && (await exists(join(folder, picture)));
    },

    async keep(picture, photo, bytes) {
      const path = join(folder, picture);
      if (!overwrite && !made.has(picture) && (await exists(path))) {
        throw new PackshotError(
          'invalid_field',
          `${path} exists and was not made by this command. --overwrite replaces it.`,
        );
      }
      const entry = toEntry(picture, photo);
      await written(async () => {
        await mkdir(dirname(path), { recursive: true });
        const hidden = await writeHidden(path, bytes);
        await rm(path, { force: true });
        // Begins with the line's end, so that a line that a power cut left unended costs no other.
        await appendEntry(journal, `\n${entry}`);
        await rename(hidden, path);
      });
      made.set(picture, entry);
    },
  };
}

/** Keeps pictures that no other run makes again: each under a name that is free, `mug-2.jpg` where there is a `mug.jpg`. */
export function createFreshKeeper(folder: string) {
  const taken = new Set<string>();

  async function findFree(stem: string, extension: string): Promise<string> {
    for (let number = 1; ; number++) {
      const path = join(folder, `${stem}${number === 1 ? '' : `-${number}`}.${extension}`);
      if (taken.has(path)) continue;
      // Before anything is awaited: another picture may look for the same name meanwhile.
      taken.add(path);
      if (!(await exists(path))) return path;
    }
  }

  /** Answers where it is. Throws `storage_full` and `storage_unavailable`. */
  return async function keepFresh(stem: string, extension: string, bytes: Uint8Array): Promise<string> {
    const path = await findFree(stem, extension);
    await writeWhole(path, bytes);
    return path;
  };
}

/** One picture under a name of the caller's choice; what was there before goes. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await written(async () => {
    await mkdir(dirname(path), { recursive: true });
    await rename(await writeHidden(path, bytes), path);
  });
}

/** The same name each time, so that what a killed process left goes with the next. A link there is removed, not followed. */
async function writeHidden(path: string, bytes: Uint8Array): Promise<string> {
  const hidden = join(dirname(path), `.${basename(path)}.part`);
  try {
    await rm(hidden, { force: true });
    const file = await open(hidden, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(hidden, { force: true }).catch(() => undefined);
    throw error;
  }
  return hidden;
}

/** Another user of the folder may have planted a link there: never write through it. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

async function appendEntry(journal: string, text: string): Promise<void> {
  const file = await open(journal, appending);
  try {
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The last line of each picture; a line that was cut off by a killed process counts as none. */
async function readJournal(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (isSystemError(error) && error.code === 'ENOENT') return '';
    throw error;
  });
  const made = new Map<string, string>();
  for (const line of text.split('\n')) {
    const entry = parseEntry(line);
    if (entry) made.set(entry.picture, JSON.stringify(entry));
  }
  return made;
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

async function written<T>(work: () => Promise<T>): Promise<T> {
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
