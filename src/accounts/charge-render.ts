/** Charges for pictures: reserves credits before a picture is drawn, charges on success, refunds on failure. */
import { PackshotError } from 'packshot-errors';
import { type CreditStore, fromMilli, type Quota, toMilli } from './credit-store.ts';

/** Price of one picture, in credits. */
export const prices = { preview: 0.25, generated: 1 } as const;

export interface Purchase {
  readonly keyId: string;
  /** Sandbox keys pay nothing, but their pictures are counted. */
  readonly sandbox: boolean;
  readonly size: keyof typeof prices;
  /** Whether the caller may already have the picture, so that the response may be a free 304. */
  readonly mayBeKnown: boolean;
}

/** What was charged, as reported to the caller. */
export interface Receipt {
  readonly charged: number;
  /** Null for a key without a credit limit. */
  readonly remaining: number | null;
}

/** Called with a name of the ordered picture before the picture is drawn. Throws `insufficient_credits`. */
export type ClaimPicture = (order: string) => Promise<void>;

export function createRenderCharger(needs: {
  readonly credits: CreditStore;
  /** Called with errors that occur when credits are released, or when a key without a limit is charged. */
  readonly onError: (error: unknown) => void;
}) {
  const { credits, onError } = needs;

  /**
   * Runs `work`, which calls `claim` before it draws the picture. Charges for the picture once `work` is done; charges
   * nothing if `work` rejects or has claimed no picture. Rejects with `insufficient_credits` before the picture is
   * drawn.
   */
  return async function chargeRender<T>(
    { keyId, sandbox, size, mayBeKnown }: Purchase,
    work: (claim: ClaimPicture) => Promise<T>,
  ): Promise<{ readonly result: T; readonly receipt: Receipt }> {
    const { quota, limited, costMilli } = await requireCredits(credits, { keyId, sandbox, size, mayBeKnown });
    let claimed: string | undefined;
    let held = false;
    let owedMilli = 0;
    let result: T;
    try {
      result = await work(async (etag) => {
        const state = limited ? await credits.hold(quota.id, etag, costMilli) : 'open';
        if (state === 'insufficient') throw insufficient(await credits.readQuota(keyId), costMilli);
        held = state === 'held';
        owedMilli = state === 'paid' ? 0 : costMilli;
        claimed = etag;
      });
    } catch (error) {
      if (held && claimed !== undefined) await credits.release(quota.id, claimed).catch(onError);
      throw error;
    }
    if (claimed === undefined) return { result, receipt: toReceipt(0, quota) };
    try {
      const sale = { keyId, quotaId: quota.id, etag: claimed, costMilli: owedMilli, size };
      const { chargedMilli, quota: left } = await credits.settle(sale);
      return { result, receipt: toReceipt(chargedMilli, left) };
    } catch (error) {
      // A full disk must not stop keys without a limit: for them, a picture is free if its charge cannot be stored.
      if (limited) throw error;
      onError(error);
      return { result, receipt: toReceipt(0, quota) };
    }
  };
}

/** Throws `insufficient_credits` if the key cannot pay. `dialects` also calls this, before it reads the photo. */
export async function requireCredits(
  credits: CreditStore,
  { keyId, sandbox, size, mayBeKnown }: Purchase,
): Promise<{ readonly quota: Quota; readonly limited: boolean; readonly costMilli: number }> {
  const quota = await credits.readQuota(keyId);
  const limited = quota.remainingMilli !== null && !sandbox;
  const costMilli = sandbox ? 0 : toMilli(prices[size]);
  // Some work is done before the credits are reserved. So reject early, unless the picture may be free: because of a
  // 304, or because it was charged within the last hour.
  if (limited && (quota.remainingMilli ?? 0) < costMilli && !mayBeKnown) {
    if (!(await credits.hasRecentCharge(quota.id))) throw insufficient(quota, costMilli);
  }
  return { quota, limited, costMilli };
}

export type RenderCharger = ReturnType<typeof createRenderCharger>;

const toReceipt = (chargedMilli: number, { remainingMilli }: Quota): Receipt => ({
  charged: fromMilli(chargedMilli),
  remaining: remainingMilli === null ? null : fromMilli(remainingMilli),
});

function insufficient({ remainingMilli }: Quota, costMilli: number): PackshotError {
  return new PackshotError(
    'insufficient_credits',
    `This picture costs ${fromMilli(costMilli)} credits and the key has ${fromMilli(remainingMilli ?? 0)} left; ask the operator for more.`,
  );
}
