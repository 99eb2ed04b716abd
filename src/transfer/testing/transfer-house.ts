/** For tests: services to export from and import into, without a server. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { openQueue } from '../../jobs/open-queue.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { openMemoryBlobStore } from '../../storage/testing/memory-blobs.ts';
import { openTemporaryDatabase } from '../../storage/testing/temporary-database.ts';
import { exportArchive, type Stores } from '../export-archive.ts';
import { type Imported, importArchive } from '../import-archive.ts';
import { type Row, readRows } from '../live-rows.ts';
import { withArchive } from '../transfer-source.ts';
import { blobOwners, type TravellingName, travellingNames } from '../travelling-tables.ts';
import { fill, sampleBlobs, sampleRows } from './sample-rows.ts';

const quiet = () => undefined;
const now = 1_800_000_000_000;
export const clock = () => now;

export type TestService = Stores & { readonly queue: Queue };

export async function openTransferHouse() {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-transfer-'));
  const opened: { close(): Promise<void> }[] = [];

  return {
    folder,

    /** `kind` defaults to the database of the test run. */
    async openService(kind?: 'sqlite'): Promise<TestService> {
      const temporary = await openTemporaryDatabase(kind);
      const queue = openQueue({ ...temporary, clock, sharedUrl: undefined, onError: quiet });
      opened.push({
        async close() {
          await queue.close({ graceMs: 0 });
          await temporary.close();
        },
      });
      const database = { ...temporary, kind: temporary.config.kind, tryAlone: async () => true };
      return { database, blobs: openMemoryBlobStore(), queue };
    },

    exportFrom: (service: Stores) => exportArchive(service, folder, { clock, onProgress: quiet }),

    importInto: (service: TestService, { merge = false } = {}): Promise<Imported> =>
      withArchive(folder, (source) => importArchive(service, source, { merge, clock, onProgress: quiet })),

    async damage(path: string, change: (text: string) => string): Promise<void> {
      const file = join(folder, path);
      await writeFile(file, change(await readFile(file, 'utf8')));
    },

    async close(): Promise<void> {
      for (const { close } of opened.reverse()) await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type TransferHouse = Awaited<ReturnType<typeof openTransferHouse>>;

/** Before each test, passes a new set of test services to `tell`, and a service that holds the sample data. */
export function useFilledSource(tell: (house: TransferHouse, source: TestService) => void): void {
  let house: TransferHouse;
  beforeEach(async () => {
    house = await openTransferHouse();
    const source = await house.openService('sqlite');
    await fill({ database: source.database.database, blobs: source.blobs });
    tell(house, source);
  });
  afterEach(() => house.close());
}

export async function listAll<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

export const rowsOf = ({ database }: TestService, table: TravellingName): Promise<Row[]> =>
  listAll(readRows(database.database, table));

export const idsOf = async (service: TestService, table: TravellingName) =>
  (await rowsOf(service, table)).map(({ id }) => id).sort();

/** Makes rows comparable regardless of the order of rows and columns. */
export const sorted = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();

export async function textsOf(blobs: BlobStore): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const table of blobOwners)
    for await (const { key } of blobs.list(table)) texts[key] = String(await blobs.get(key));
  return texts;
}

export async function expectSample(service: TestService): Promise<void> {
  for (const table of travellingNames)
    expect(sorted(await rowsOf(service, table)), table).toEqual(sorted(sampleRows[table]));
  expect(await textsOf(service.blobs)).toEqual(sampleBlobs);
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
