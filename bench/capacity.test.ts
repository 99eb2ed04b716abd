import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { calculateCapacity, type Figures, fillPage, writeTables } from './capacity.ts';

const committed = JSON.parse(
  readFileSync(new URL('capacity-figures.json', import.meta.url), 'utf8'),
) as Figures;

/** Round numbers: a photo, its cutout and one preview take 2 CPU seconds of a worker and 1 of an api process. */
const plain: Figures = {
  measured: {
    source: 'a test',
    cpuS: { upload: 0.5, cutout: 1, preview: 1, full: 0, scenePreview: 0, sceneFull: 0, call: 0.5 },
    bytesPerDesign: 1_000_000,
    bytesPerPicture: { preview: 100_000, full: 0 },
    rowBytesPerDesign: 1_000,
    transactions: { photo: 2, picture: 1, end: 1 },
    idleTransactionsPerS: 0.5,
    connectionsBeyondPool: 1,
    blobWrites: { upload: 1, cutout: 1, picture: 1, scene: 0 },
    memoryMb: { api: 500, worker: 1_000 },
    coresPerProcess: { api: 1, worker: 2 },
  },
  ceilings: {
    source: 'a test',
    jobsPerS: 100,
    transactionsPerS: 1_000,
    connections: 1_000,
    blobWritesPerS: 1_000,
  },
  use: {
    source: 'a test',
    previewsPerPhoto: 1,
    fullsPerPhoto: 0,
    scenePreviewsPerPhoto: 0,
    sceneFullsPerPhoto: 0,
    retentionDays: 10,
    peakOverMean: 2,
    busyShare: 0.5,
    databasePool: 9,
  },
  prices: {
    source: 'a test',
    coreHour: 1,
    databaseCoreHour: 1,
    databaseGbMonth: 1,
    blobGbMonth: 1,
    blobWritesPerMillion: 1,
    blobReadsPerMillion: 1,
    egressGb: 1,
  },
  photosPerDay: [86_400],
};
/** Photos per day: one per second. */
const day = 86_400;

describe('the capacity of an installation', () => {
  it('covers the peak hour, with headroom', () => {
    // 2 photos per second at the peak, 2 CPU seconds each, and processes of 2 cores at 50% load.
    expect(calculateCapacity(plain, day)).toMatchObject({
      peakPhotosPerS: 2,
      processes: { worker: 4, api: 4 },
      memoryGb: 6,
    });
    expect(calculateCapacity(plain, 1).processes).toEqual({ worker: 1, api: 1 });
  });

  it('counts the database and store operations of each photo and picture', () => {
    const { demand, load } = calculateCapacity(plain, day);
    expect(demand).toEqual({ jobs: 4, transactions: 12, connections: 80, 'blob writes': 6 });
    expect(load).toEqual({ jobs: 0.04, transactions: 0.012, connections: 0.08, 'blob writes': 0.006 });
  });

  it('names the first bottleneck, and how many installations the load needs', () => {
    expect(calculateCapacity(plain, day)).toMatchObject({ tightest: 'connections', cells: 1 });
    const slowQueue = { ...plain, ceilings: { ...plain.ceilings, jobsPerS: 1 } };
    expect(calculateCapacity(slowQueue, day)).toMatchObject({ tightest: 'jobs', cells: 4 });
  });

  it('keeps blobs and rows for the lifetime of designs', () => {
    const { blobTb, rowGb } = calculateCapacity(plain, day);
    expect(blobTb).toBeCloseTo(0.864);
    expect(rowGb).toBeCloseTo(0.864);
  });

  it('prices cores by usage and the database by provisioned size', () => {
    const { monthlyUsd } = calculateCapacity(plain, day);
    // 86,400 photos per day for 30 days, 3 CPU seconds each, at 50% load.
    expect(monthlyUsd.processes).toBeCloseTo((day * 30 * 3) / 3_600 / 0.5);
    expect(monthlyUsd.database).toBeCloseTo(2 * 24 * 30 + 0.864);
    expect(monthlyUsd.storage).toBeCloseTo(864);
    expect(monthlyUsd.requests).toBeCloseTo((day * 30 * 3) / 1e6 + (day * 30 * 3) / 1e6);
    expect(monthlyUsd.egress).toBeCloseTo((day * 30 * 1e5) / 1e9);
  });

  it('grows in proportion to the number of photos, once the load needs more than the smallest installation', () => {
    const one = calculateCapacity(committed, 1_000_000);
    const hundred = calculateCapacity(committed, 100_000_000);
    expect(hundred.processes.worker / one.processes.worker).toBeCloseTo(100, 0);
    expect(hundred.blobTb / one.blobTb).toBeCloseTo(100);
    expect(hundred.demand['blob writes'] / one.demand['blob writes']).toBeCloseTo(100);
  });
});

describe('the page on scaling', () => {
  const page = readFileSync(new URL('../docs/scaling.md', import.meta.url), 'utf8');

  it('has the tables calculated from the committed figures; to update them: node bench/capacity.ts', () => {
    expect(fillPage(page, writeTables(committed))).toBe(page);
  });

  it('is refused without the two lines that enclose the tables', () => {
    expect(() => fillPage('# Scaling\n', 'tables')).toThrow('the page needs the lines');
  });
});
