/**
 * Signed URIs of illustrations. Each URI allows its holder to view one illustration at one size until the URI expires.
 * The signature prevents forged URIs, and the use of a URI for another account.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OpenSecrets } from '../storage/secret-store.ts';

export type IllustrationSize = 'full' | 'preview';

/** The IDs that the signature covers, so that a URI does not work for another design or account. */
export interface IllustrationOwner {
  readonly id: string;
  /** Empty for backdrops and looks (saved scenes), which belong to no design. */
  readonly designId: string;
  readonly accountId: string;
}

/** The content of a URI, not yet verified. */
export interface IllustrationClaim {
  readonly id: string;
  readonly size: IllustrationSize;
  readonly expiresAtS: number;
  readonly signature: string;
}

/** Name of the signing secret. */
export const illustrationSecret = 'illustration-uris';
/** Lifetime of URIs, in milliseconds, if designs are kept forever. */
export const longestUriLifeMs = 365 * 86_400_000;

/** There can be several, so that a new one can take over while URIs signed with the old one are still in use. */
export type SigningSecrets = Pick<OpenSecrets, 'all' | 'refresh'>;

const shape =
  /^\/v1\/illustrations\/(ill_[0-9a-f]{32}|bdp_[0-9A-Za-z]{22}|Look_[0-9a-f]{24})(-preview)?\.webp\?e=(\d{1,12})&s=([\w-]{43})$/;

export function createIllustrationUris(options: {
  readonly secrets: SigningSecrets;
  readonly clock: () => number;
  readonly lifeMs: number;
}) {
  const { secrets } = options;

  function sign(
    { id, designId, accountId }: IllustrationOwner,
    size: IllustrationSize,
    expiresAtS: number,
    secret = secrets.all()[0]!,
  ): string {
    return createHmac('sha256', secret)
      .update([id, size, designId, accountId, expiresAtS].join('\n'))
      .digest('base64url');
  }

  function isSigned({ size, expiresAtS, signature }: IllustrationClaim, owner: IllustrationOwner): boolean {
    const given = Buffer.from(signature);
    return secrets.all().some((secret) => {
      const wanted = Buffer.from(sign(owner, size, expiresAtS, secret));
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    });
  }

  return {
    /** Returns path and query of a URI; append them to a base URL. */
    issue(owner: IllustrationOwner, size: IllustrationSize, lifeMs = options.lifeMs): string {
      const expiresAtS = Math.ceil((options.clock() + lifeMs) / 1000);
      const name = size === 'preview' ? `${owner.id}-preview` : owner.id;
      return `/v1/illustrations/${name}.webp?e=${expiresAtS}&s=${sign(owner, size, expiresAtS)}`;
    },

    /** Accepts a full URI, or path and query. Returns undefined if the format is not that of our URIs. */
    read(uri: string): IllustrationClaim | undefined {
      // Ignores everything before our path, because the public base URL may have a path, too. Only the signature
      // matters.
      const path = uri.slice(Math.max(0, uri.lastIndexOf('/v1/illustrations/')));
      const [, id, preview, expiresAtS, signature] = shape.exec(path) ?? [];
      if (!id || !expiresAtS || !signature) return undefined;
      return { id, size: preview ? 'preview' : 'full', expiresAtS: Number(expiresAtS), signature };
    },

    async isValid(claim: IllustrationClaim, owner: IllustrationOwner): Promise<boolean> {
      if (claim.expiresAtS * 1000 <= options.clock()) return false;
      if (isSigned(claim, owner)) return true;
      await secrets.refresh();
      return isSigned(claim, owner);
    },
  };
}

export type IllustrationUris = ReturnType<typeof createIllustrationUris>;
