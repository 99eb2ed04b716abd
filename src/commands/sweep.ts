/** `packshot sweep`: deletes expired and orphaned data and evicts pictures, as the service does; or does a dry run. */
import type { Command } from 'commander';
import { batchBlobs } from '../batches/batch.ts';
import { createBatchStore } from '../batches/batch-store.ts';
import { createBatchSweeper } from '../batches/sweep-batches.ts';
import type { Config } from '../config.ts';
import { designBlobs } from '../designs/design.ts';
import { createDesignStore } from '../designs/design-store.ts';
import { createDesignEraser } from '../designs/erase-designs.ts';
import { createProjectStore } from '../designs/project-store.ts';
import { createBackdropStore } from '../illustrations/backdrop-store.ts';
import { backdropBlobs } from '../illustrations/illustration.ts';
import { createBackdropSweeper } from '../illustrations/keep-backdrop.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { openBlobStore } from '../storage/blobs/open-blob-store.ts';
import type { OpenDatabase } from '../storage/database.ts';
import type { EvictionPlan } from '../storage/evict-blobs.ts';
import { correctStoredBytes } from '../storage/stored-bytes.ts';
import type { BlobSweeper } from '../storage/sweep-blobs.ts';
import { openEvictor } from '../wiring/foundation.ts';
import { showBytes, showNumberOf } from './shared/format-table.ts';
import { withRows } from './shared/open-stores.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Expired and orphaned data of one kind, such as designs. */
interface Found {
  readonly expired: number;
  /** Number of objects that have blobs, but no row. */
  readonly orphaned: number;
  readonly bytes: number;
  /** Prefixes of the blobs to delete. */
  readonly prefixes: readonly string[];
}

export function addSweep(program: Command): void {
  program
    .command('sweep')
    .summary('Delete expired and orphaned data, and stay within the disk budget.')
    .description(
      'Delete expired and orphaned data, then evict pictures that can be drawn again, until DISK_BUDGET_BYTES and the free-space reserve are met. A running service sweeps every hour and evicts every minute. Safe while a service runs.',
    )
    .option('--dry-run', 'only print what would be deleted')
    .option('--json', 'print JSON')
    .action(sweep);
}

async function sweep({ dryRun = false, json = false }: Options): Promise<void> {
  const onError = (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  };
  const sweepRows = async (opened: OpenDatabase, config: Config) => {
    const blobs = await openBlobStore(config.storage.blobs, { alone: false });
    const found: Record<string, Found> = {};
    for (const { noun, prefix, sweeper } of openSweepers(config, opened, blobs, onError)) {
      found[noun] = await lookFor(sweeper, prefix, blobs);
      if (!dryRun) await sweeper.sweep();
    }
    const gone = new Set(Object.values(found).flatMap(({ prefixes }) => prefixes));
    const evictor = openEvictor(config, without(blobs, gone), onError);
    const plan = await evictor?.planEviction();
    if (!dryRun) await evictor?.makeRoom();
    if (json) console.log(JSON.stringify(toJson(found, plan, dryRun), null, 2));
    else for (const line of tell(found, plan, dryRun)) console.log(line);
  };
  await withRows(sweepRows, { onError });
}

function openSweepers(
  { designs: { retentionMs } }: Config,
  { database, notices }: OpenDatabase,
  blobs: BlobStore,
  onError: (error: unknown) => void,
): readonly { readonly noun: string; readonly prefix: string; readonly sweeper: BlobSweeper }[] {
  const clock = Date.now;
  const onCounted = (prefix: string, bytes: ReadonlyMap<string, number>) =>
    correctStoredBytes(database, prefix, bytes);
  const parts = { blobs, clock, onCounted, onError };
  const designs = createDesignStore(database, { clock, retentionMs });
  const eraser = createDesignEraser({
    ...parts,
    designs,
    projects: createProjectStore(database, { clock }),
    // Batches are swept by themselves.
    eraseResults: async () => undefined,
    onErased: () => undefined,
  });
  const backdrops = createBackdropStore(database, { clock, retentionMs });
  // This command runs no jobs, so the store has no events to report.
  const listener = { onItem: async () => undefined, onCompleted: async () => undefined };
  const batches = createBatchStore(database, { clock, retentionMs, listener });
  return [
    {
      noun: 'design',
      prefix: designBlobs.all,
      sweeper: { findStale: eraser.findStale, sweep: eraser.sweepDesigns },
    },
    { noun: 'backdrop', prefix: backdropBlobs.all, sweeper: createBackdropSweeper({ ...parts, backdrops }) },
    { noun: 'batch', prefix: batchBlobs.all, sweeper: createBatchSweeper({ ...parts, batches, notices }) },
  ];
}

async function lookFor(sweeper: BlobSweeper, prefix: string, blobs: BlobStore): Promise<Found> {
  const counts = { expired: 0, orphaned: 0 };
  const prefixes: string[] = [];
  let bytes = 0;
  for await (const { id, why } of sweeper.findStale()) {
    counts[why]++;
    prefixes.push(`${prefix}/${id}`);
    for await (const entry of blobs.list(`${prefix}/${id}`)) bytes += entry.bytes;
  }
  return { ...counts, bytes, prefixes };
}

/** A view of the store as if the blobs in `gone` were already deleted. */
function without(blobs: BlobStore, gone: ReadonlySet<string>): BlobStore {
  return {
    ...blobs,
    async *list(prefix) {
      for await (const entry of blobs.list(prefix)) {
        if (!gone.has(entry.key.split('/', 2).join('/'))) yield entry;
      }
    },
  };
}

function tell(found: Record<string, Found>, plan: EvictionPlan | undefined, dryRun: boolean): string[] {
  const erased = dryRun ? 'would be deleted' : 'deleted';
  const lines = Object.entries(found).flatMap(([noun, { expired, orphaned, bytes }]) =>
    expired + orphaned === 0
      ? []
      : [`${noun}: ${expired} expired and ${orphaned} orphaned ${erased}, ${showBytes(bytes)}.`],
  );
  if (plan && plan.evicted.length > 0)
    lines.push(
      `${dryRun ? 'Would evict' : 'Evicted'} ${showNumberOf(plan.evicted.length, 'picture')} that can be drawn again, ${showBytes(plan.evictedBytes)}.`,
    );
  if (plan && !plan.suffices)
    lines.push('Still over budget after evicting every picture that can be drawn again.');
  if (lines.length === 0) lines.push('Nothing to clean up.');
  if (plan) lines.push(tellUse(plan));
  return lines;
}

function tellUse({ usedBytes, evictedBytes, budgetBytes }: EvictionPlan): string {
  const budget = budgetBytes === undefined ? 'no budget' : `a budget of ${showBytes(budgetBytes)}`;
  return `${showBytes(usedBytes - evictedBytes)} in use, ${budget}.`;
}

function toJson(found: Record<string, Found>, plan: EvictionPlan | undefined, dryRun: boolean) {
  const erased = Object.entries(found).map(([noun, { prefixes: _, ...counts }]) => [noun, counts]);
  return {
    dryRun,
    erased: Object.fromEntries(erased),
    evicted: plan && { count: plan.evicted.length, bytes: plan.evictedBytes, suffices: plan.suffices },
    usedBytes: plan && plan.usedBytes - plan.evictedBytes,
    budgetBytes: plan?.budgetBytes ?? null,
  };
}
