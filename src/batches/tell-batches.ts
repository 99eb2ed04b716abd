/** Records webhook events for finished pictures and completed batches, in the transactions that record their end. */
import type { Outbox } from '../events/outbox.ts';
import type { Batch } from './batch.ts';
import type { BatchListener } from './batch-store.ts';

/** Links start with `publicUrl`; they are paths if it is undefined. */
export function createBatchListener(outbox: Outbox, publicUrl = ''): BatchListener {
  const wants = (batch: Batch, type: Batch['events'][number]) => batch.events.includes(type);
  return {
    async onItem({ batch, position, recipe, designId }, end, transaction) {
      if (end.state !== 'done' || designId === undefined || !wants(batch, 'render.completed')) return;
      const { recipeId, variant, format } = recipe;
      const { etag } = end.result;
      const item = { id: batch.id, item: position };
      const data = { designId, recipeId, variant, format, size: 'generated', etag, batch: item } as const;
      await outbox.tell({ accountId: batch.accountId, type: 'render.completed', data }, transaction);
    },
    async onCompleted(batch, { total, done, failed }, transaction) {
      if (!wants(batch, 'batch.completed')) return;
      const { id, accountId } = batch;
      const href = `${publicUrl}/v1/jobs/${id}`;
      const data = { id, href, resultsHref: `${href}/results.zip`, counts: { total, done, failed } };
      await outbox.tell({ accountId, type: 'batch.completed', data }, transaction);
    },
  };
}
