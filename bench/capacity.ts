/**
 * Capacity model: converts measured figures to processes, database load, storage, cost and the first
 * bottleneck for a number of photos per day. `node bench/capacity.ts` writes the tables into docs/scaling.md;
 * all inputs are in capacity-figures.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Figures {
  readonly measured: {
    readonly source: string;
    /** CPU seconds of each kind of work; `call` is what an api process spends on a picture that a worker renders. */
    readonly cpuS: Readonly<
      Record<'upload' | 'cutout' | 'preview' | 'full' | 'scenePreview' | 'sceneFull' | 'call', number>
    >;
    /** Bytes of one photo's blobs: the upload, its cutout and its matte. */
    readonly bytesPerDesign: number;
    readonly bytesPerPicture: Readonly<Record<'preview' | 'full', number>>;
    /**
     * Size of the database rows of one photo, including their indexes, its events, and old versions of rows that
     * PostgreSQL has not removed yet.
     */
    readonly rowBytesPerDesign: number;
    /**
     * Database transactions as PostgreSQL counts them, including single statements, for an upload with its cutout
     * (`photo`), a picture, and a deletion (`end`).
     */
    readonly transactions: Readonly<Record<'photo' | 'picture' | 'end', number>>;
    /** Database transactions per second of each idle process. */
    readonly idleTransactionsPerS: number;
    /** Blobs that each kind of work writes. A worker passes each picture to the api process as a blob. */
    readonly blobWrites: Readonly<Record<'upload' | 'cutout' | 'picture' | 'scene', number>>;
    /** Database connections of each process for its queue, notices and locks. */
    readonly connectionsBeyondPool: number;
    readonly memoryMb: Readonly<Record<'api' | 'worker', number>>;
    readonly coresPerProcess: Readonly<Record<'api' | 'worker', number>>;
  };
  /** Limits of one PostgreSQL and one bucket, for any number of processes. */
  readonly ceilings: {
    readonly source: string;
    readonly jobsPerS: number;
    readonly transactionsPerS: number;
    readonly connections: number;
    readonly blobWritesPerS: number;
  };
  readonly use: {
    readonly source: string;
    readonly previewsPerPhoto: number;
    readonly fullsPerPhoto: number;
    readonly scenePreviewsPerPhoto: number;
    readonly sceneFullsPerPhoto: number;
    readonly retentionDays: number;
    /** Load of the busiest hour divided by the daily mean, at least 1. */
    readonly peakOverMean: number;
    /** Target CPU utilization at the peak, 0 to 1; the unused part keeps queues short. */
    readonly busyShare: number;
    readonly databasePool: number;
  };
  readonly prices: {
    readonly source: string;
    readonly coreHour: number;
    readonly databaseCoreHour: number;
    readonly databaseGbMonth: number;
    readonly blobGbMonth: number;
    readonly blobWritesPerMillion: number;
    readonly blobReadsPerMillion: number;
    readonly egressGb: number;
  };
  readonly photosPerDay: readonly number[];
}

export type Resource = 'jobs' | 'transactions' | 'connections' | 'blob writes';

export interface Capacity {
  readonly photosPerDay: number;
  readonly peakPhotosPerS: number;
  readonly processes: Readonly<Record<'api' | 'worker', number>>;
  readonly memoryGb: number;
  /**
   * Demand at the peak (jobs, transactions and blob writes per second, and number of connections), if all processes
   * share one database and one bucket.
   */
  readonly demand: Readonly<Record<Resource, number>>;
  /** Demand divided by the limit of one installation; above 1, one installation is not enough. */
  readonly load: Readonly<Record<Resource, number>>;
  readonly tightest: Resource;
  /** Number of separate installations, each with its own database and bucket, among which the callers are divided. */
  readonly cells: number;
  readonly blobTb: number;
  readonly rowGb: number;
  readonly monthlyUsd: Readonly<Record<'processes' | 'database' | 'storage' | 'requests' | 'egress', number>>;
}

const dayS = 86_400;
const daysPerMonth = 30;

/** What to try at each limit, in order. A cell is another installation with its own database and bucket. */
export const remedies: Readonly<Record<Resource, string>> = {
  jobs: 'a separate PostgreSQL for the queue; then cells',
  transactions:
    'faster disks for the write-ahead log; usage counted in memory and written once per second; then cells',
  connections: 'a smaller DATABASE_POOL; fewer workers with more cores, or with GPUs; then cells',
  'blob writes': 'S3_PREFIX, so that keys are spread over several prefixes',
};

export function calculateCapacity(figures: Figures, photosPerDay: number): Capacity {
  const { measured, ceilings, use } = figures;
  const peakPhotosPerS = (photosPerDay / dayS) * use.peakOverMean;
  const cpu = cpuPerPhoto(figures);
  const count = (role: 'api' | 'worker') =>
    Math.max(1, Math.ceil((peakPhotosPerS * cpu[role]) / (measured.coresPerProcess[role] * use.busyShare)));
  const processes = { api: count('api'), worker: count('worker') };
  const pictures = picturesPerPhoto(figures);
  const { photo, picture, end } = measured.transactions;
  const all = processes.api + processes.worker;
  const writesPerPhoto =
    measured.blobWrites.upload +
    measured.blobWrites.cutout +
    measured.blobWrites.picture * pictures +
    measured.blobWrites.scene * (use.scenePreviewsPerPhoto + use.sceneFullsPerPhoto);
  const demand = {
    // One job for the cutout, and one per picture, because api processes do not render.
    jobs: peakPhotosPerS * (1 + pictures),
    transactions: peakPhotosPerS * (photo + end + picture * pictures) + all * measured.idleTransactionsPerS,
    connections: all * (use.databasePool + measured.connectionsBeyondPool),
    'blob writes': peakPhotosPerS * writesPerPhoto,
  };
  const load = {
    jobs: demand.jobs / ceilings.jobsPerS,
    transactions: demand.transactions / ceilings.transactionsPerS,
    connections: demand.connections / ceilings.connections,
    'blob writes': demand['blob writes'] / ceilings.blobWritesPerS,
  };
  const tightest = (Object.keys(load) as Resource[]).reduce((a, b) => (load[b] > load[a] ? b : a));
  const blobBytes = photosPerDay * use.retentionDays * measured.bytesPerDesign;
  const rowBytes = photosPerDay * use.retentionDays * measured.rowBytesPerDesign;
  return {
    photosPerDay,
    peakPhotosPerS,
    processes,
    memoryGb: (processes.api * measured.memoryMb.api + processes.worker * measured.memoryMb.worker) / 1_000,
    demand,
    load,
    tightest,
    cells: Math.max(1, Math.ceil(load[tightest])),
    blobTb: blobBytes / 1e12,
    rowGb: rowBytes / 1e9,
    monthlyUsd: priceMonth(figures, photosPerDay, {
      cpu,
      pictures,
      writesPerPhoto,
      blobBytes,
      rowBytes,
      load,
    }),
  };
}

/** Core seconds per photo, by role. */
function cpuPerPhoto(figures: Figures): Record<'api' | 'worker', number> {
  const { measured, use } = figures;
  const { cpuS } = measured;
  return {
    api: cpuS.upload + cpuS.call * picturesPerPhoto(figures),
    worker:
      cpuS.cutout +
      cpuS.preview * use.previewsPerPhoto +
      cpuS.full * use.fullsPerPhoto +
      cpuS.scenePreview * use.scenePreviewsPerPhoto +
      cpuS.sceneFull * use.sceneFullsPerPhoto,
  };
}

const picturesPerPhoto = ({ use }: Figures): number =>
  use.previewsPerPhoto + use.fullsPerPhoto + use.scenePreviewsPerPhoto + use.sceneFullsPerPhoto;

interface Priced {
  readonly cpu: Readonly<Record<'api' | 'worker', number>>;
  readonly pictures: number;
  readonly writesPerPhoto: number;
  readonly blobBytes: number;
  readonly rowBytes: number;
  readonly load: Readonly<Record<Resource, number>>;
}

/**
 * Processes scale with the load, so their cores are priced by the mean load. The database is provisioned and priced
 * for the peak.
 */
function priceMonth(figures: Figures, photosPerDay: number, priced: Priced): Capacity['monthlyUsd'] {
  const { measured, use, prices } = figures;
  const photos = photosPerDay * daysPerMonth;
  const coreHours = (photos * (priced.cpu.api + priced.cpu.worker)) / 3_600 / use.busyShare;
  // Assumes that a database needs eight cores at its limit of jobs or transactions, and a proportional number at other
  // loads, but at least two.
  const databaseCores = Math.max(2, Math.ceil(8 * Math.max(priced.load.jobs, priced.load.transactions)));
  const sentBytes =
    measured.bytesPerPicture.preview * (use.previewsPerPhoto + use.scenePreviewsPerPhoto) +
    measured.bytesPerPicture.full * (use.fullsPerPhoto + use.sceneFullsPerPhoto);
  // Each cutout reads the upload, each picture the cutout, and each response the picture.
  const reads = photos * (1 + 2 * priced.pictures);
  return {
    processes: coreHours * prices.coreHour,
    database:
      databaseCores * 24 * daysPerMonth * prices.databaseCoreHour +
      (priced.rowBytes / 1e9) * prices.databaseGbMonth,
    storage: (priced.blobBytes / 1e9) * prices.blobGbMonth,
    requests:
      ((photos * priced.writesPerPhoto) / 1e6) * prices.blobWritesPerMillion +
      (reads / 1e6) * prices.blobReadsPerMillion,
    egress: ((photos * sentBytes) / 1e9) * prices.egressGb,
  };
}

export function writeTables(figures: Figures): string {
  const all = figures.photosPerDay.map((photos) => calculateCapacity(figures, photos));
  const row = (name: string, cell: (capacity: Capacity) => string) =>
    `| ${name} | ${all.map(cell).join(' | ')} |`;
  const sum = ({ monthlyUsd }: Capacity) => Object.values(monthlyUsd).reduce((a, b) => a + b, 0);
  const share = (resource: Resource) => (capacity: Capacity) =>
    `${show(capacity.demand[resource])} (${show(capacity.load[resource] * 100)} %)`;
  const { measured, ceilings, use, prices } = figures;
  return [
    row('photos per day', ({ photosPerDay }) => `**${show(photosPerDay)}**`),
    `|---|${all.map(() => '---|').join('')}`,
    row('photos per second at the peak', ({ peakPhotosPerS }) => show(peakPhotosPerS)),
    row(`\`api\` processes of ${measured.coresPerProcess.api} cores`, ({ processes }) => show(processes.api)),
    row(`\`worker\` processes of ${measured.coresPerProcess.worker} cores`, ({ processes }) =>
      show(processes.worker),
    ),
    row('total memory, GB', ({ memoryGb }) => show(memoryGb)),
    row('jobs per second (share of the limit)', share('jobs')),
    row('transactions per second (share of the limit)', share('transactions')),
    row('connections (share of the limit)', share('connections')),
    row('blob writes per second (share of the limit)', share('blob writes')),
    row('first bottleneck', ({ tightest, load }) =>
      load[tightest] > 1 ? `**${tightest}**` : `${tightest}, not reached`,
    ),
    row('remedy', ({ tightest }) => remedies[tightest]),
    row('cells', ({ cells }) => show(cells)),
    row(`stored blobs (${use.retentionDays} days), TB`, ({ blobTb }) => show(blobTb)),
    row('stored rows, GB', ({ rowGb }) => show(rowGb)),
    row('cores per month, USD', ({ monthlyUsd }) => show(monthlyUsd.processes)),
    row('database per month, USD', ({ monthlyUsd }) => show(monthlyUsd.database)),
    row('storage per month, USD', ({ monthlyUsd }) => show(monthlyUsd.storage)),
    row('store requests per month, USD', ({ monthlyUsd }) => show(monthlyUsd.requests)),
    row('egress per month, USD', ({ monthlyUsd }) => show(monthlyUsd.egress)),
    row('cost per thousand photos, USD', (capacity) =>
      show((sum(capacity) / (capacity.photosPerDay * daysPerMonth)) * 1_000),
    ),
    '',
    `- Figures: ${measured.source}.`,
    `- Limits: ${ceilings.source}.`,
    `- Usage (${use.source}): one photo leads to ${use.previewsPerPhoto} previews, ${use.fullsPerPhoto} full version, ${use.scenePreviewsPerPhoto} previews of scenes and ${use.sceneFullsPerPhoto} full versions of scenes. In the busiest hour, the load is ${use.peakOverMean} times the daily mean, and processes are at most ${use.busyShare * 100} % busy.`,
    `- Prices: ${prices.source}.`,
  ].join('\n');
}

/** Rounds to three significant digits, or two below 100, because the figures are not more accurate than that. */
function show(value: number): string {
  return value >= 100
    ? Number(value.toPrecision(3)).toLocaleString('en-US')
    : String(Number(value.toPrecision(2)));
}

const begin = '<!-- made by node bench/capacity.ts -->';
const end = '<!-- end of the generated part -->';

/** Returns the page with updated tables. Throws if the page has no place for them. */
export function fillPage(page: string, tables: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page needs the lines ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${tables}\n\n${page.slice(to)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = JSON.parse(
    readFileSync(process.argv[2] ?? new URL('capacity-figures.json', import.meta.url), 'utf8'),
  ) as Figures;
  const page = new URL('../docs/scaling.md', import.meta.url);
  const tables = writeTables(figures);
  writeFileSync(page, fillPage(readFileSync(page, 'utf8'), tables));
  console.log(tables);
}
