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

/** Name of the secret that signs them. */
export const illustrationSecret = 'illustration-uris';
/** Of URIs where designs are kept for ever. */
export const longestUriLifeMs = 365 * 86_400_000;

/** What signs URIs. Several, so that a new one may take over while URIs of the one before are still about. */
export interface SigningSecrets {
  /** The first one signs, all of them verify. */
  all(): readonly string[];
  /** Looks whether others were made meanwhile, in another process. */
  refresh(): Promise<void>;
}

const shape =
  /^\/v1\/illustrations\/(ill_[0-9a-f]{32}|bdp_[0-9A-Za-z]{22})(-preview)?\.webp\?e=(\d{1,12})&s=([\w-]{43})$/;

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

    async isValid(claim: IllustrationClaim, owner: IllustrationOwner): Promise<boolean> {
      if (claim.expiresAtS * 1000 <= options.clock()) return false;
      if (isSigned(claim, owner)) return true;
      await secrets.refresh();
      return isSigned(claim, owner);
    },
  };
}

export type IllustrationUris = ReturnType<typeof createIllustrationUris>;
