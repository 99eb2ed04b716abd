/** Builds the service that accepts and runs batches. */
import { createBatchStore } from '../batches/batch-store.ts';
import { createItemMaker } from '../batches/make-item.ts';
import { createBatchRunner } from '../batches/run-batches.ts';
import { createBatchListener } from '../batches/tell-batches.ts';
import type { Config } from '../config.ts';
import type { DesignCreator } from '../designs/create-design.ts';
import type { ImageFetcher } from '../designs/fetch-image.ts';
import type { UploadPlaces } from '../designs/upload-places.ts';
import type { ListingChecker } from '../listing/check-listing.ts';
import type { DesignRenderer } from '../rendering/render-design.ts';
import type { Foundation } from './foundation.ts';

const clock = Date.now;

interface BatchServices {
  readonly creator: DesignCreator;
  readonly fetcher: ImageFetcher;
  readonly renderDesign: DesignRenderer;
  readonly listing: Pick<ListingChecker, 'checkDrawn'>;
  readonly uploadPlaces: UploadPlaces;
}

export function buildBatches(config: Config, foundation: Foundation, services: BatchServices) {
  const { infrastructure, reports, events, accounts, admitUpload, onCounted } = foundation;
  const { database, blobs, queue, notices } = infrastructure;
  const { creator, fetcher, renderDesign, listing, uploadPlaces } = services;
  const { noteUpload, chargeRender } = foundation;
  return createBatchRunner({
    database,
    blobs,
    queue,
    notices,
    batches: createBatchStore(database, {
      clock,
      retentionMs: config.designs.retentionMs,
      listener: createBatchListener(events.teller),
    }),
    items: createItemMaker({
      creator,
      fetcher,
      noteUpload,
      chargeRender,
      renderDesign,
      checkDrawn: listing.checkDrawn,
    }),
    async admitItem({ keyId, accountId }) {
      await accounts.requireStanding(keyId);
      await admitUpload(accountId);
    },
    admitUpload,
    uploadPlaces,
    // If there are several rendering processes, keep one free for calls that wait for a picture.
    concurrency: Math.max(1, config.rendering.workers - 1),
    maxWaitingItems: config.batches.maxWaitingItems,
    clock,
    onCounted,
    onError: (error) => reports.reportError(error, 'sweeper'),
  });
}
