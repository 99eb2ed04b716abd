/**
 * Signed URIs of illustrations: a capability for one illustration at one size, for a time. Whoever holds it may look;
 * nobody can make one up, or turn one into another's.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export type IllustrationSize = 'full' | 'preview';

/** Whose illustration it is; part of what is signed, so a URI that belongs to another design or account fails. */
export interface IllustrationOwner {
  readonly id: string;
  /** Empty for what belongs to no design. */
  readonly designId: string;
  readonly accountId: string;
}

/** What a URI claims, before anything of it is believed. */
export interface IllustrationClaim {
  readonly id: string;
  readonly size: IllustrationSize;
  readonly expiresAtS: number;
  readonly signature: string;
}

const shape =
  /^\/v1\/illustrations\/(ill_[0-9a-f]{32}|bdp_[0-9A-Za-z]{22})(-preview)?\.webp\?e=(\d{1,12})&s=([\w-]{43})$/;

export function createIllustrationUris(options: {
  readonly secret: string;
  readonly clock: () => number;
  readonly lifeMs: number;
}) {
  const sign = ({ id, designId, accountId }: IllustrationOwner, size: IllustrationSize, expiresAtS: number) =>
    createHmac('sha256', options.secret)
      .update([id, size, designId, accountId, expiresAtS].join('\n'))
      .digest('base64url');

  return {
    /** Path and query, to be set behind a base URL. */
    issue(owner: IllustrationOwner, size: IllustrationSize, lifeMs = options.lifeMs): string {
      const expiresAtS = Math.ceil((options.clock() + lifeMs) / 1000);
      const name = size === 'preview' ? `${owner.id}-preview` : owner.id;
      return `/v1/illustrations/${name}.webp?e=${expiresAtS}&s=${sign(owner, size, expiresAtS)}`;
    },

    /** From a URI in full or from its path and query; undefined for whatever we cannot have issued. */
    read(uri: string): IllustrationClaim | undefined {
      // The public base may have a path of its own; whatever stands before ours, the signature decides.
      const path = uri.slice(Math.max(0, uri.lastIndexOf('/v1/illustrations/')));
      const [, id, preview, expiresAtS, signature] = shape.exec(path) ?? [];
      if (!id || !expiresAtS || !signature) return undefined;
      return { id, size: preview ? 'preview' : 'full', expiresAtS: Number(expiresAtS), signature };
    },

    isValid(claim: IllustrationClaim, owner: IllustrationOwner): boolean {
      if (claim.expiresAtS * 1000 <= options.clock()) return false;
      const wanted = Buffer.from(sign(owner, claim.size, claim.expiresAtS));
      const given = Buffer.from(claim.signature);
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    },
  };
}

export type IllustrationUris = ReturnType<typeof createIllustrationUris>;
