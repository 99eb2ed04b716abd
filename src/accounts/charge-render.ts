/** Conductor of what a picture costs: held before it is drawn, charged once it is done, given back when it is not. */
import { PackshotError } from '../errors.ts';
import { type CreditStore, fromMilli, type Quota, toMilli } from './credit-store.ts';

/** Credits of one picture. */
export const prices = { preview: 0.25, generated: 1 } as const;

export interface Purchase {
  readonly keyId: string;
  /** Sandbox keys pay nothing; their pictures are counted. */
  readonly sandbox: boolean;
  readonly size: keyof typeof prices;
  /** Whether the caller may hold the picture already, and be told so for nothing. */
  readonly mayBeKnown: boolean;
}

/** What the caller is told of it. */
export interface Receipt {
  readonly charged: number;
  /** Null for a key without a limit. */
  readonly remaining: number | null;
}

/** Said by the work once it knows which picture it is about to draw. Throws `insufficient_credits`. */
export type ClaimPicture = (etag: string) => Promise<void>;

export function createRenderCharger(needs: {
  readonly credits: CreditStore;
  /** Hears of what could not be written down. */
  readonly onError: (error: unknown) => void;
}) {
  const { credits, onError } = needs;

  /** Rejects with what the work rejects with, and then nothing is charged; with `insufficient_credits` before it. */
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
      // What cannot be written down cannot be charged. A full disk must not keep unlimited keys from their pictures.
      if (limited) throw error;
      onError(error);
      return { result, receipt: toReceipt(0, quota) };
    }
  };
}

/** Throws `insufficient_credits` where the key could not pay. Also asked alone, by calls whose work begins with an upload. */
export async function requireCredits(
  credits: CreditStore,
  { keyId, sandbox, size, mayBeKnown }: Purchase,
): Promise<{ readonly quota: Quota; readonly limited: boolean; readonly costMilli: number }> {
  const quota = await credits.readQuota(keyId);
  const limited = quota.remainingMilli !== null && !sandbox;
  const costMilli = sandbox ? 0 : toMilli(prices[size]);
  // Only who could be answered for nothing is let in without the price: the work before the claim is work too.
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
