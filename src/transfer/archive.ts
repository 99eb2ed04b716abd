/**
 * The archive format: a folder with all data of a service, for a backup or a move to another service.
 *
 *     manifest.json          contents and checksums; until the export is complete, only a mark that it is unfinished
 *     rows/<table>.jsonl     one row per line, as stored in the table
 *     jobs.jsonl             waiting jobs
 *     blobs.jsonl            one line per owner of blobs, with their names, sizes and checksums
 *     blobs/<key>
 *
 * An archive contains the secrets that sign URIs and webhooks, so only the owner of its files can read them.
 */
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import { checkBlobKey } from '../storage/blob-store.ts';
import { guard, replaceFile, syncFolder, unlessMissing } from '../storage/files.ts';
import { isPrerelease, migrations } from '../storage/migrate.ts';
import { findDigest } from './line-files.ts';
import { type TravellingName, travellingNames } from './travelling-tables.ts';

/** Incremented for each change of the format that older releases cannot read. */
const archiveFormat = 1;

const facts = z.object({ lines: z.number(), bytes: z.number(), sha256: z.string() });

const manifestSchema = z.object({
  packshotArchive: z.literal(archiveFormat),
  /** Id of the service's first account, which identifies the service. */
  service: z.string(),
  /** ISO 8601. Time of the snapshot of the rows. */
  takenAt: z.string(),
  version: z.string(),
  /** Names of the migrations applied to the tables. */
  shape: z.array(z.string()),
  /** Keyed by path within the archive. */
  files: z.record(z.string(), facts),
  blobs: z.object({ count: z.number(), bytes: z.number() }),
  /** Keys of blobs that rows need and that were missing; at most a hundred are listed. */
  missing: z.object({ count: z.number(), some: z.array(z.string()) }),
});

export type Manifest = z.output<typeof manifestSchema>;

/** One line of blobs.jsonl. */
export interface OwnedBlobs {
  /** `designs/dsg_…` */
  readonly owner: string;
  readonly blobs: readonly ArchivedBlob[];
}

export interface ArchivedBlob {
  /** The blob's key without the owner and the slash after it. */
  readonly name: string;
  readonly bytes: number;
  /** In hex; null if no checksum was computed. */
  readonly sha256: string | null;
}

const manifestFile = 'manifest.json';
export const jobsFile = 'jobs.jsonl';
export const blobsFile = 'blobs.jsonl';
export const rowsFile = (table: TravellingName): string => `rows/${table}.jsonl`;

/** Path of a blob. Keys in an archive are untrusted: they are checked against path traversal. */
export function blobPath(folder: string, key: string): string {
  try {
    checkBlobKey(key);
  } catch (cause) {
    throw new PackshotError('invalid_field', 'The archive is damaged: it contains an invalid blob name.', {
      cause,
    });
  }
  return join(folder, 'blobs', key);
}

const unusable = (message: string) => new PackshotError('invalid_field', message);

const newerRelease = 'The archive was made by a newer release; import it with that one.';

const unfinished = { packshotArchive: archiveFormat, unfinished: true } as const;

/**
 * Creates the folder, or reuses one with an archive of the same service, which counts as unfinished from here
 * on. Throws `invalid_field` for any other folder that is not empty.
 */
export async function beginArchive(folder: string, service: string): Promise<void> {
  await guard(() => mkdir(folder, { recursive: true, mode: 0o700 }));
  const names = await guard(() => readdir(folder));
  const text = await findText(join(folder, manifestFile));
  const known = text === undefined ? undefined : parseJson(text);
  if (names.length > 0 && known?.packshotArchive === undefined)
    throw unusable('The folder is not empty and contains no archive.');
  if (known?.service !== undefined && known.service !== service)
    throw unusable('The folder contains the archive of another service; use an empty one.');
  await guard(async () => {
    // An existing folder may be open to others.
    await chmod(folder, 0o700);
    for (const name of ['rows', 'blobs']) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  });
  await writeManifest(folder, { ...unfinished, service });
}

/** Throws `invalid_field` if the folder holds no archive, or one that is unfinished or made by a newer release. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await findText(join(folder, manifestFile));
  if (text === undefined) throw unusable('The folder contains no archive.');
  const read = parseJson(text);
  if (typeof read?.packshotArchive === 'number' && read.packshotArchive > archiveFormat)
    throw unusable(newerRelease);
  if (read?.unfinished) throw unusable('The archive is unfinished; run the export again to continue it.');
  const parsed = manifestSchema.safeParse(read);
  if (!parsed.success) throw unusable('The manifest of the archive is damaged.');
  const { shape } = parsed.data;
  if (!isPrerelease(shape) && shape.some((name) => !(name in migrations))) throw unusable(newerRelease);
  return parsed.data;
}

/** Whether the archive's tables have the schema of this release. */
export const isOfToday = ({ shape }: Manifest): boolean =>
  Object.keys(migrations).every((name) => shape.includes(name));

/**
 * Throws `invalid_field` if a file differs from the manifest, or if the manifest, whose file names are untrusted,
 * lists files that an import does not read. Blobs are checked when they are read.
 */
export async function checkFiles(folder: string, manifest: Manifest): Promise<void> {
  const { files } = manifest;
  const always = [jobsFile, blobsFile];
  const tables = travellingNames.map(rowsFile);
  const foreign = Object.keys(files).find((path) => !always.includes(path) && !tables.includes(path));
  if (foreign !== undefined) throw unusable('The archive is damaged: its manifest lists a foreign file.');
  // An older release had fewer tables.
  const needed = isOfToday(manifest) ? [...always, ...tables] : always;
  const unlisted = needed.find((path) => files[path] === undefined);
  if (unlisted !== undefined)
    throw unusable(`The archive is damaged: its manifest does not list ${unlisted}.`);
  for (const [path, { sha256 }] of Object.entries(files)) {
    const digest = await findDigest(join(folder, path));
    if (digest === sha256) continue;
    const what = digest === undefined ? 'is missing' : 'differs from the manifest';
    throw unusable(`The archive is damaged: ${path} ${what}. Nothing was changed.`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: of any shape until it is checked.
function parseJson(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    // The caller decides what invalid JSON means.
    return undefined;
  }
}

const findText = (path: string) => guard(() => unlessMissing(readFile(path, 'utf8')));

/** Replaces the manifest file. Only a complete archive gets a whole manifest. */
export const writeManifest = (
  folder: string,
  manifest: Manifest | (typeof unfinished & { service: string }),
) =>
  guard(async () => {
    await replaceFile(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
    await syncFolder(folder);
  });
