/** Records webhook events for designs that are ready or have failed, in the transactions that record it. */
import type { FailedDesign, ReadyDesign } from '../designs/design.ts';
import type { DatabaseOrTransaction } from '../storage/database.ts';
import type { Outbox } from './outbox.ts';

/** Links start with `publicUrl`; they are paths if it is undefined. */
export function tellDesigns(outbox: Outbox, publicUrl = '') {
  return async (design: ReadyDesign | FailedDesign, transaction: DatabaseOrTransaction): Promise<void> => {
    const { id, accountId } = design;
    const href = `${publicUrl}/v1/design/${id}`;
    await outbox.tell(
      design.state === 'ready'
        ? { accountId, type: 'design.ready', data: { id, href } }
        : { accountId, type: 'design.failed', data: { id, href, error: design.failure } },
      transaction,
    );
  };
}
