/** Wires what is told to other systems, and the batches that nobody waits for. */
import type { AccountStore } from '../accounts/account-store.ts';
import type { RenderCharger } from '../accounts/charge-render.ts';
import type { Batch, ItemRecipe } from '../batches/batch.ts';
import { type BatchListener, createBatchStore } from '../batches/batch-store.ts';
import { createBatchRunner } from '../batches/run-batches.ts';
import type { Config } from '../config.ts';
import type { DesignCreator, Photo } from '../designs/create-design.ts';
import type { ImageFetcher } from '../designs/fetch-image.ts';
import { createEventDeliverer, type DeliveryReport } from '../events/deliver-events.ts';
import { createDesignProgress } from '../events/design-progress.ts';
import { createOutbox } from '../events/outbox.ts';
import { createPoster } from '../events/post-message.ts';
import { createEventTeller, type EventTeller } from '../events/tell-events.ts';
import type { FairPlaces } from '../fair-places.ts';
import type { Queue } from '../jobs/queue.ts';
import type { DesignRenderer } from '../rendering/render-design.ts';
import { renderTarget, sampleTarget } from '../rendering/render-target.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';
import type { CountListener } from '../storage/sweep-blobs.ts';

const clock = Date.now;

interface EventParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly reportError: (error: unknown, where: string) => void;
  readonly reportDelivery: (report: DeliveryReport) => void;
}

export function wireEvents(config: Config, parts: EventParts) {
  const { database, queue, notices, reportError, reportDelivery } = parts;
  const outbox = createOutbox({ database, queue, clock });
  return {
    teller: createEventTeller({
      database,
      outbox,
      publicUrl: config.server.publicUrl,
      onError: (error) => reportError(error, 'events'),
    }),
    progress: createDesignProgress(notices),
    sweepEvents: outbox.sweepEvents,
    deliverer: createEventDeliverer({
      outbox,
      queue,
      post: createPoster({ allow: config.events.allow }),
      clock,
      onTry: reportDelivery,
    }),
  };
}

export type Events = ReturnType<typeof wireEvents>;

/** Tells of every picture that is made, and not of one that the caller holds already. */
export function tellRenders(renderDesign: DesignRenderer, teller: EventTeller): DesignRenderer {
  return async (request) => {
    const rendered = await renderDesign(request);
    const { designId, recipeId, variant, target } = request;
    if (rendered.picture) {
      const { name: size, format } = target;
      const { etag } = rendered;
      await teller.tellRender(request.accountId, { designId, recipeId, variant, size, format, etag });
    }
    return rendered;
  };
}

interface BatchParts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly teller: EventTeller;
  readonly fetcher: ImageFetcher;
  readonly uploadPlaces: FairPlaces;
  /** Both let everybody else go first. */
  readonly creator: DesignCreator;
  readonly renderDesign: DesignRenderer;
  readonly accounts: AccountStore;
  readonly noteUpload: (keyId: string) => Promise<void>;
  readonly chargeRender: RenderCharger;
  /** Throws where the storage has no room for uploads, or the account has used up its share. */
  readonly admitUpload: (accountId: string) => Promise<void>;
  readonly onCounted: CountListener;
  readonly reportError: (error: unknown, where: string) => void;
}

export function wireBatches(config: Config, parts: BatchParts) {
  const { database, blobs, queue, notices, fetcher, creator, renderDesign, chargeRender } = parts;
  const { retentionMs } = config.designs;

  async function upload(
    { accountId, keyId }: Batch,
    signal: AbortSignal,
    readPhoto: () => Promise<Photo>,
  ): Promise<string> {
    const { id } = await creator.createDesign({ accountId, readPhoto, signal });
    await parts.noteUpload(keyId);
    return id;
  }

  return createBatchRunner({
    database,
    blobs,
    queue,
    notices,
    batches: createBatchStore(database, { clock, retentionMs, listener: listenTo(parts.teller) }),
    async admitItem({ keyId, accountId }) {
      await parts.accounts.requireStanding(keyId);
      await parts.admitUpload(accountId);
    },
    onCounted: parts.onCounted,
    uploadPlaces: parts.uploadPlaces,
    admitUpload: parts.admitUpload,
    upload: (url, batch, signal) =>
      upload(batch, signal, async () => ({
        bytes: await fetcher.fetchImage(url, { signal }),
        fileName: undefined,
        kindHint: undefined,
      })),
    uploadFile: (file, batch, signal) =>
      upload(batch, signal, async () => ({ ...file, kindHint: undefined })),
    async render({ batch, designId, recipe: { format, ...recipe } }, signal) {
      const { accountId, keyId, sandbox } = batch;
      const target = renderTarget('generated', format);
      const { result } = await chargeRender(
        { keyId, sandbox, size: 'generated', mayBeKnown: false },
        (claim) =>
          renderDesign({
            ...recipe,
            designId,
            accountId,
            keyId,
            target: sandbox ? sampleTarget(target) : target,
            knownEtags: [],
            claim,
            signal,
          }),
      );
      const { etag, picture } = result;
      if (!picture) throw new Error(`no picture of ${designId}, though none was known`);
      return { bytes: picture.bytes, etag, warnings: picture.warnings };
    },
    // One process stays free for whoever waits.
    concurrency: Math.max(1, config.rendering.workers - 1),
    maxWaitingItems: config.batches.maxWaitingItems,
    clock,
    onError: (error) => parts.reportError(error, 'sweeper'),
  });
}

function listenTo(teller: EventTeller): BatchListener {
  const hears = (batch: Batch, type: Batch['events'][number]) => batch.events.includes(type);
  const describe = ({ recipeId, variant, format }: ItemRecipe) => ({
    recipeId,
    variant,
    format,
    size: 'generated' as const,
  });
  return {
    async onItem({ batch, position, recipe, designId }, end, transaction) {
      if (end.state !== 'done' || designId === undefined || !hears(batch, 'render.completed')) return;
      await teller.tellBatchItem(
        batch.accountId,
        {
          designId,
          ...describe(recipe),
          etag: end.result.etag,
          batch: { id: batch.id, item: position },
        },
        transaction,
      );
    },
    async onCompleted(batch, counts, transaction) {
      if (hears(batch, 'batch.completed')) await teller.tellBatch(batch, counts, transaction);
    },
  };
}
