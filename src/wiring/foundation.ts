/** Opens what all services have in common: database, blobs, queue, child processes, and the stores of many rooms. */
import { PackshotError } from 'packshot-errors';
import { createAccountStore } from '../accounts/account-store.ts';
import { rateOf } from '../accounts/authenticate.ts';
import { createRenderCharger } from '../accounts/charge-render.ts';
import { createCreditStore } from '../accounts/credit-store.ts';
import { createIdempotencyStore } from '../accounts/idempotency-store.ts';
import { createSharedRates } from '../accounts/shared-rates.ts';
import { createUsageStore } from '../accounts/usage-store.ts';
import { batchBlobs } from '../batches/batch.ts';
import type { Config } from '../config.ts';
import { designBlobs } from '../designs/design.ts';
import { createDesignStore } from '../designs/design-store.ts';
import { createEventDeliverer } from '../events/deliver-events.ts';
import { createDeliveryTries } from '../events/delivery-tries.ts';
import { createDesignProgress } from '../events/design-progress.ts';
import { createOutbox } from '../events/outbox.ts';
import { createPoster } from '../events/post-message.ts';
import { tellDesigns } from '../events/tell-designs.ts';
import { longestCallMs } from '../http/call-deadline.ts';
import { openIllustrationEngine } from '../illustrations/engines/registry.ts';
import { backdropBlobs, isDrawnAgain } from '../illustrations/illustration.ts';
import { illustrationSecret } from '../illustrations/illustration-uri.ts';
import { openQueue } from '../jobs/open-queue.ts';
import { createRemoteCalls } from '../jobs/remote-calls.ts';
import { pictureSecret } from '../picture-urls/url-signer.ts';
import { createAccountShare } from '../storage/account-share.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { watchBlobs } from '../storage/blob-watch.ts';
import { openBlobStore } from '../storage/blobs/open-blob-store.ts';
import { checkSameBlobs } from '../storage/cluster-state.ts';
import { openDatabase } from '../storage/database.ts';
import { measureSpace, reserveOf, watchStorage } from '../storage/disk-space.ts';
import { createBlobEvictor } from '../storage/evict-blobs.ts';
import { lockDataDir } from '../storage/lock-data-dir.ts';
import { openSecrets } from '../storage/secret-store.ts';
import { correctStoredBytes, createStoredBytes } from '../storage/stored-bytes.ts';
import { openPools, type Pools } from '../workers/pools.ts';
import { buildMonitoring, createReports } from './monitoring.ts';
import { callElsewhere, type OurRemoteTasks } from './remote-tasks.ts';

const clock = Date.now;

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/**
 * Throws `storage_unavailable` if the database is unreachable, or locked by another process. Opens the worker pools,
 * unless the caller passes `pools` that are already open.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of what is opened, in order.
export async function openFoundation(config: Config, pools?: Pools) {
  const { storage, designs: designConfig } = config;
  const reports = createReports();
  const { reportTo } = reports;
  // Opened first: if the engine's settings are wrong, nothing else is open yet that would have to be closed. The
  // studio is no painter: it draws in our own child processes, and for a painter that fails.
  const { engine } = config.scenes.painting;
  const illustrationEngine = engine.engine === 'studio' ? undefined : await openIllustrationEngine(engine);

  // Only one process may use a SQLite database; so only one may use the folder that holds it.
  const lock =
    storage.database.kind === 'sqlite' ? lockDataDir(storage.dataDir) : { release: () => undefined };
  if (!lock)
    throw new PackshotError('storage_unavailable', 'Another Packshot process is using this data folder.');
  const rows = await openDatabase(storage.database, { onError: reportTo('database') });
  const { kind, database, notices } = rows;
  const stored = await openBlobStore(storage.blobs, { alone: kind === 'sqlite' });
  if (kind === 'postgres') await checkSameBlobs(database, stored, clock);
  const evictor = openEvictor(config, stored, reportTo('evictor'));
  const storedBytes = createStoredBytes(database, reportTo('stored bytes'));
  const blobs = storedBytes.watch(evictor?.blobs ?? stored);
  const space = storage.blobs.kind === 's3' ? watchBlobs(stored) : watchStorage(storage.dataDir, storage);
  const queue = openQueue({
    ...rows,
    clock,
    sharedUrl: storage.database.kind === 'postgres' ? storage.database.url : undefined,
    onError: reportTo('queue'),
  });
  const remoteCalls = createRemoteCalls<OurRemoteTasks>({
    ...rows,
    blobs,
    queue,
    clock,
    maxWaiting: config.rendering.maxWaiting,
    onError: reportTo('remote calls'),
  });
  const { imaging, cutting, heic } = pools ?? openPools(config);

  const usage = createUsageStore(database, clock);
  const credits = createCreditStore(database, clock);
  const share = createAccountShare({
    database,
    storedBytes,
    limitBytes: storage.accountBytes,
    measureFreeBytes: async () => (await space.measureSpace())?.freeBytes,
  });
  const outbox = createOutbox({ database, queue, clock });
  const designs = createDesignStore(database, {
    clock,
    retentionMs: designConfig.retentionMs,
    onSettled: tellDesigns(outbox, config.server.publicUrl),
  });
  const state = { warm: cutting === undefined, stopping: false };
  const parts = { database, queue, evictor, imaging, cutting, designs, state, space };
  const openSecret = (name: string) => openSecrets(database, name, { clock, onError: reportTo('secrets') });
  return {
    config,
    clock,
    reports,
    illustrationEngine,
    ...rows,
    lock,
    ...parts,
    heic,
    blobs,
    storedBytes,
    remoteCalls,
    ...buildMonitoring(config, parts, illustrationEngine?.id),
    accounts: createAccountStore(database, clock),
    idempotency: createIdempotencyStore(database, { clock, longestCallMs: longestCallOf(config) }),
    usage,
    /** Counts one upload of the key; never rejects. */
    noteUpload: (keyId: string) => usage.noteUpload(keyId).catch(reportTo('usage')),
    credits,
    chargeRender: createRenderCharger({ credits, onError: reportTo('credits') }),
    /** Undefined if rates are counted within one process. */
    sharedRates:
      kind === 'postgres' ? createSharedRates(database, rateOf(config.accounts.limits)) : undefined,
    /** Throws if the storage has no room for uploads, or the account has used up its share. */
    async admitUpload(accountId: string): Promise<void> {
      await (evictor?.admitUpload(space.admitUpload) ?? space.admitUpload());
      await share.admit(accountId);
    },
    /** Called by each sweep with the number of bytes that each design, backdrop or batch has stored. */
    onCounted: (prefix: string, bytes: ReadonlyMap<string, number>) =>
      correctStoredBytes(database, prefix, bytes),
    secrets: await openSecret(illustrationSecret),
    pictureSecrets: await openSecret(pictureSecret),
    outbox,
    progress: createDesignProgress(notices),
    deliverer: createEventDeliverer({
      deliveries: createDeliveryTries({ database, queue, clock }),
      queue,
      post: createPoster({ allow: config.events.allow }),
      clock,
      onTry: reports.reportDelivery,
    }),
    /** Delegates the heavy work of an api process to workers; undefined if this process does its own. */
    elsewhere: config.role === 'api' ? callElsewhere(remoteCalls, config) : undefined,
  };
}

/** Makes room on the disk: deletes blobs that can be drawn again. Undefined for a bucket, which is unlimited. */
export function openEvictor({ storage }: Config, blobs: BlobStore, onError: (error: unknown) => void) {
  if (storage.blobs.kind !== 'fs') return undefined;
  const { dataDir, minFreeBytes, budgetBytes } = storage;
  return createBlobEvictor({
    blobs,
    prefixes: [designBlobs.all, backdropBlobs.all, batchBlobs.all],
    isMadeAgain: isDrawnAgain,
    budgetBytes,
    async measureRoom() {
      const space = await measureSpace(dataDir);
      return { freeBytes: space.freeBytes, reserveBytes: reserveOf(space, minFreeBytes) };
    },
    clock,
    onError,
  });
}

/**
 * The longest time that a call may take, in milliseconds: the sum of the limits of its consecutive waits.
 */
function longestCallOf({ server, designs, rendering: { deadlineMs, dialectDeadlinesMs } }: Config): number {
  const deadlines = [...Object.values(deadlineMs), ...Object.values(dialectDeadlinesMs)];
  const work = Math.max(designs.fetch.totalTimeoutMs, ...deadlines);
  return server.requestTimeoutMs + longestCallMs + work;
}
