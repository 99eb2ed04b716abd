/** Records webhook events for finished pictures and completed batches, in the transactions that record their end. */
import type { EventTeller } from '../events/tell-events.ts';
import type { Batch } from './batch.ts';
import type { BatchListener } from './batch-store.ts';

export function createBatchListener(teller: EventTeller): BatchListener {
  const wants = (batch: Batch, type: Batch['events'][number]) => batch.events.includes(type);
  return {
    async onItem({ batch, position, recipe, designId }, end, transaction) {
      if (end.state !== 'done' || designId === undefined || !wants(batch, 'render.completed')) return;
      const { recipeId, variant, format } = recipe;
      const picture = {
        designId,
        recipeId,
        variant,
        format,
        size: 'generated',
        etag: end.result.etag,
      } as const;
      const item = { ...picture, batch: { id: batch.id, item: position } };
      await teller.tellBatchItem(batch.accountId, item, transaction);
    },
    async onCompleted(batch, counts, transaction) {
      if (wants(batch, 'batch.completed')) await teller.tellBatch(batch, counts, transaction);
    },
  };
}
