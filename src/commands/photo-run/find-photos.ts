/** Finds the photos that a command line names: files, whole folders, URLs and standard input. */
import { openAsBlob, type Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PackshotError } from 'packshot-errors';
import { invalid, type Refuse } from '../shared/refuse.ts';

const photoExtensions = new Set(
  ['jpg', 'jpeg', 'png', 'webp', 'avif', 'tif', 'tiff', 'gif', 'heic', 'heif'].map((name) => `.${name}`),
);

export const isPhotoName = (name: string): boolean => photoExtensions.has(extname(name).toLowerCase());

export interface Photo {
  readonly kind: 'file' | 'url' | 'stdin';
  /** As given on the command line: a path, a URL, or `-`. */
  readonly name: string;
  /** Path in the searched folder, with `/` and extension: `shoes/red.jpg`. Pictures get the same subfolders. */
  readonly path: string;
  /** Size and modification time, to detect a changed file as rsync's quick check does; undefined for URLs and stdin. */
  readonly version: { readonly bytes: number; readonly changedMs: number } | undefined;
  /** The real path, so that two paths to one file count as one photo. */
  readonly identity: string;
  /** For a row of a list: its order and name, because other rows may have the same photo. */
  readonly row?: string;
}

/** Identifies a photo in journals, together with its version. */
export const photoId = ({ kind, name, path, row = '' }: Photo): string =>
  (kind === 'url' ? name : path) + row;

interface Search {
  readonly recursive: boolean;
  /** Real path of the output folder, which is never searched. */
  readonly leaveOut: string | undefined;
}

/** In the order of the arguments; files of a folder sorted by name. Refuses a path that does not exist. */
export async function findPhotos(words: readonly string[], search: Search, refuse: Refuse): Promise<Photo[]> {
  const found: Photo[] = [];
  for (const word of new Set(words)) {
    if (word === '-') found.push(notAFile('stdin', word, 'stdin'));
    else if (isUrl(word)) found.push(notAFile('url', word, nameOfUrl(word)));
    else found.push(...(await findOnDisk(word, search, refuse)));
  }
  return [...new Map(found.map((photo) => [photo.identity, photo])).values()];
}

const isUrl = (word: string): boolean => /^https?:\/\//i.test(word);

/** The photo of a list's row: a URL, or the path of a file relative to `folder`. Undefined if there is no such file. */
export async function findListed(word: string, folder: string): Promise<Photo | undefined> {
  if (isUrl(word)) return notAFile('url', word, nameOfUrl(word));
  const path = resolve(folder, word);
  const facts = await stat(path).catch(() => undefined);
  return facts?.isFile() ? toPhoto(path, word, facts) : undefined;
}

const notAFile = (kind: 'url' | 'stdin', name: string, path: string): Photo => ({
  kind,
  name,
  path,
  version: undefined,
  identity: name,
});

async function findOnDisk(path: string, search: Search, refuse: Refuse): Promise<Photo[]> {
  const facts = (await stat(path).catch(() => undefined)) ?? refuse(`There is no file or folder ${path}.`);
  if (facts.isDirectory() && (await realpath(path)) === search.leaveOut) {
    refuse(`The pictures of ${path} cannot be written to the same folder. Name another one with -o.`);
  }
  if (!facts.isDirectory()) return [await toPhoto(path, basename(path), facts)];
  const photos: Photo[] = [];
  for await (const file of walk(path, search)) {
    const below = relative(path, file.path).split(sep).join('/');
    photos.push(await toPhoto(file.path, below, file.facts));
  }
  return photos;
}

async function* walk(
  folder: string,
  search: Search,
): AsyncGenerator<{ readonly path: string; readonly facts: Stats }> {
  if ((await realpath(folder)) === search.leaveOut) return;
  // Sort numerically, so that IMG_9 comes before IMG_10.
  const names = (await readdir(folder)).sort(new Intl.Collator('en', { numeric: true }).compare);
  for (const name of names) {
    // Skip hidden files, such as macOS's `._photo.jpg` companions.
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    // Skip broken links.
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isFile() && isPhotoName(name)) yield { path, facts };
    else if (facts?.isDirectory() && search.recursive) yield* walk(path, search);
  }
}

async function toPhoto(name: string, path: string, facts: Stats): Promise<Photo> {
  const version = { bytes: facts.size, changedMs: facts.mtimeMs };
  return { kind: 'file', name, path, version, identity: await realpath(name) };
}

function nameOfUrl(url: string): string {
  const last = basename(URL.parse(url)?.pathname ?? '');
  return sanitise(decode(last)) || 'photo';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const sanitise = (text: string): string =>
  text.replace(/[^\p{Letter}\p{Number}._-]+/gu, '-').replace(/^[.-]+/, '');

const ways: readonly ((photo: Photo) => string)[] = [
  ({ path }) => join(dirname(path), basename(path, extname(path))),
  ({ path }) => path,
  ({ name }) => sanitise(name.replace(/^https?:\/\//i, '')),
];

/** Possible names of a photo's picture, without extension, the preferred one first. */
export const namesFor = (photo: Photo): string[] => ways.map((way) => way(photo));

/**
 * Returns a name without extension for each photo's picture, unique even on case-insensitive disks: `red` for
 * `red.jpg`; `red.jpg` and `red.png` if both exist; the whole path or URL as one name, such as `shoes-red.jpg`, if even
 * those are equal. Names depend only on the set of photos, so that a second run finds the pictures of the first.
 */
export function namePictures(photos: readonly Photo[]): Map<Photo, string> {
  const named = new Map<Photo, string>();
  let unnamed = [...photos];
  for (const way of ways) {
    const takers = Map.groupBy(unnamed, (photo) => way(photo).toLowerCase());
    const taken = new Set([...named.values()].map((name) => name.toLowerCase()));
    for (const [key, [first, ...others]] of takers) {
      if (others.length === 0 && !taken.has(key)) named.set(first!, way(first!));
    }
    unnamed = unnamed.filter((photo) => !named.has(photo));
  }
  const [one] = unnamed;
  if (!one) return named;
  throw invalid(`${one.name} and another photo would have the same name in one folder.`);
}

/** Whether the file has changed or disappeared since it was found. */
export async function hasChanged({ name, version }: Photo): Promise<boolean> {
  const facts = await stat(name).catch(() => undefined);
  return facts?.size !== version?.bytes || facts?.mtimeMs !== version?.changedMs;
}

/** The bytes of a photo on disk, read only when they are sent or decoded. */
export async function openPhoto({ name }: Pick<Photo, 'name'>, maxBytes: number): Promise<Blob> {
  const { size } = await stat(name);
  if (size > maxBytes)
    throw new PackshotError('file_too_large', `The file is larger than ${maxBytes} bytes.`);
  return openAsBlob(name);
}

export async function readStandardInput(maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  async function* limited() {
    let bytes = 0;
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new PackshotError('file_too_large', `Standard input contains more than ${maxBytes} bytes.`);
      yield chunk;
    }
  }
  const bytes = new Uint8Array(await buffer(limited()));
  if (bytes.length === 0) throw new PackshotError('missing_file', 'Standard input is empty.');
  return bytes;
}
