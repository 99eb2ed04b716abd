/**
 * One-time links that let a phone in: whoever opens one first gets an API key. They are kept in memory, and end with
 * the process.
 */
import { createHash, randomBytes } from 'node:crypto';
import { PackshotError } from 'packshot-errors';
import type { AccountStore, NewKey } from './account-store.ts';
import type { CreditStore } from './credit-store.ts';

/** Long enough to take out a phone and open its camera. */
const lifeMs = 600_000;
/** Older links end when there are more. */
const mostLinks = 20;

interface Dependencies {
  readonly accounts: Pick<AccountStore, 'createKey' | 'findKey'>;
  readonly credits: Pick<CreditStore, 'readQuota'>;
  readonly clock: () => number;
}

/** `makerId`: the key that asked for the link; none if the operator did. */
type KeyOwner = Pick<NewKey, 'accountId' | 'expiresAt'> & { readonly makerId?: string };

export type PhoneKeys = ReturnType<typeof createPhoneKeys>;

export function createPhoneKeys({ accounts, credits, clock }: Dependencies) {
  /** By the hash of the token, so that the time of a look-up tells nothing about a token. */
  const links = new Map<string, KeyOwner & { readonly lapsesAt: number }>();

  function makeLink(owner: KeyOwner) {
    for (const [hash, { lapsesAt }] of links) if (lapsesAt <= clock()) links.delete(hash);
    const [oldest] = links.keys();
    if (oldest !== undefined && links.size >= mostLinks) links.delete(oldest);
    const token = randomBytes(16).toString('base64url');
    const lapsesAt = clock() + lifeMs;
    links.set(hashOf(token), { ...owner, lapsesAt });
    return { token, lapsesAt: new Date(lapsesAt) };
  }

  return {
    /** For the operator: the phone gets a key of the first account. */
    makeFirstLink: () => makeLink({ expiresAt: null }),

    /**
     * The phone gets a key of the same account. Throws `scope_denied` for a key with limits of its own (scopes, credits,
     * rate, sandbox), which the new key would not have.
     */
    async makeLinkFor(keyId: string) {
      const key = await accounts.findKey(keyId);
      const { remainingMilli } = await credits.readQuota(keyId);
      const isLimited =
        key?.mode !== 'live' ||
        key.rate !== null ||
        remainingMilli !== null ||
        !(key.scopes.includes('admin') || scopes.every((scope) => key.scopes.includes(scope)));
      if (isLimited) {
        throw new PackshotError(
          'scope_denied',
          'This key has limits of its own, so it cannot let a phone in. Ask the operator for a key for the phone.',
        );
      }
      return makeLink({ accountId: key.accountId, expiresAt: key.expiresAt, makerId: keyId });
    },

    /** Returns a new key, once for each link; undefined if it was used, has lapsed, never was, or its maker's key has ended. */
    async redeem(token: string): Promise<string | undefined> {
      const hash = hashOf(token);
      const link = links.get(hash);
      links.delete(hash);
      if (!link || link.lapsesAt <= clock()) return undefined;
      const { lapsesAt: _, makerId, ...owner } = link;
      const maker = makerId === undefined ? undefined : await accounts.findKey(makerId);
      if (maker?.revokedAt || (maker?.expiresAt && maker.expiresAt.getTime() <= clock())) return undefined;
      return (await accounts.createKey({ name: 'phone', scopes, ...owner })).secret;
    },
  };
}

/** What the page needs. */
const scopes = ['upload', 'suggest', 'render'] as const;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
