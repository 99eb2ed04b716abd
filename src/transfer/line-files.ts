/** JSON Lines files, written atomically, and read in pages. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PackshotError } from 'packshot-errors';
import { guard, syncFolder, unlessMissing } from '../storage/files.ts';
import { toStorageError } from '../storage/storage-errors.ts';

/** Rows per page and per statement. Rows of up to 65 columns stay within SQLite's limit of 32,766 variables. */
export const pageRows = 500;

export interface LineFileFacts {
  readonly lines: number;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Throws `storage_full` and `storage_unavailable`. */
export async function writeLines(
  path: string,
  pages: AsyncIterable<readonly object[]>,
): Promise<LineFileFacts> {
  const hash = createHash('sha256');
  let lines = 0;
  let bytes = 0;
  const partial = `${path}.partial`;
  const file = await guard(() => open(partial, 'w', 0o600));
  try {
    for await (const page of pages) {
      const text = Buffer.from(page.map((row) => `${JSON.stringify(row)}\n`).join(''));
      hash.update(text);
      lines += page.length;
      bytes += text.byteLength;
      await guard(() => file.writeFile(text));
    }
    await guard(() => file.sync());
  } finally {
    await file.close();
  }
  await guard(async () => {
    await rename(partial, path);
    await syncFolder(dirname(path));
  });
  return { lines, bytes, sha256: hash.digest('hex') };
}

/** Pages of at most `pageRows`. Throws `invalid_field` for invalid JSON, and `storage_unavailable`. */
export async function* readLines<Row extends object>(path: string): AsyncGenerator<Row[]> {
  let page: Row[] = [];
  let rest = '';
  // node:readline would also split at U+2028 within a JSON string.
  const lines = async function* () {
    for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop()!;
      yield* parts;
    }
  };
  try {
    for await (const line of lines()) {
      page.push(parseLine<Row>(line));
      if (page.length < pageRows) continue;
      yield page;
      page = [];
    }
  } catch (error) {
    throw toStorageError(error);
  }
  if (page.length > 0) yield page;
}

function parseLine<Row>(line: string): Row {
  try {
    return JSON.parse(line) as Row;
  } catch (cause) {
    throw new PackshotError(
      'invalid_field',
      'A file of rows is damaged: it contains a line that is not JSON.',
      { cause },
    );
  }
}

/** SHA-256 of a file, hex; undefined if there is no such file. */
export async function findDigest(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  return guard(() => unlessMissing(pipeline(createReadStream(path), hash).then(() => hash.digest('hex'))));
}
