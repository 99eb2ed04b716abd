/**
 * Signs the URLs of pictures. Each API key has a signing key of its own, which its owner may hold in order to sign
 * without a call. It cannot be used for anything else, and says nothing of the API key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { PackshotError } from 'packshot-errors';
import type { ApiKey } from '../accounts/api-key.ts';
import type { OpenSecrets } from '../storage/secret-store.ts';

/** Name of the secret from which signing keys are derived. */
export const pictureSecret = 'picture-urls';

/** What a client needs to sign by itself. */
export interface SigningKey {
  readonly keyId: string;
  /** 64 hexadecimal digits. */
  readonly signingKey: string;
}

interface Dependencies {
  readonly secrets: Pick<OpenSecrets, 'all' | 'refresh'>;
  readonly findKey: (id: string) => Promise<ApiKey | undefined>;
  readonly clock: () => number;
}

const signatureShape = /^(key_[0-9A-Za-z]{22})\.([\w-]{43})$/;

export function createUrlSigner({ secrets, findKey, clock }: Dependencies) {
  const deriveKey = (keyId: string, secret = secrets.all()[0]!): string =>
    createHmac('sha256', secret).update(keyId).digest('hex');

  function isSigned(keyId: string, path: string, signature: string): boolean {
    const given = Buffer.from(signature);
    return secrets
      .all()
      .some((secret) => timingSafeEqual(Buffer.from(macOf(deriveKey(keyId, secret), path)), given));
  }

  return {
    signingKeyOf: (keyId: string): SigningKey => ({ keyId, signingKey: deriveKey(keyId) }),

    /** Returns the path of the URL. `path` is that of `writePath`. */
    sign: (keyId: string, path: string): string => signPath({ keyId, signingKey: deriveKey(keyId) }, path),

    /**
     * Returns the key that signed. Throws `invalid_signature`, with the same words whether the signature is wrong or
     * its key was revoked, has expired, or may not render.
     */
    async verify(signature: string, path: string): Promise<ApiKey> {
      const [, keyId, mac] = signatureShape.exec(signature) ?? [];
      if (!keyId || !mac) throw refusedUrl();
      if (!isSigned(keyId, path, mac)) {
        await secrets.refresh();
        if (!isSigned(keyId, path, mac)) throw refusedUrl();
      }
      const key = await findKey(keyId);
      const isStanding = key && !key.revokedAt && (!key.expiresAt || key.expiresAt.getTime() > clock());
      const mayRender = key?.scopes.some((scope) => scope === 'render' || scope === 'admin');
      if (!isStanding || !mayRender) throw refusedUrl();
      return key;
    },
  };
}

export type UrlSigner = ReturnType<typeof createUrlSigner>;

/** `path` begins with a slash. Clients in other languages do the same: see docs/picture-urls.md. */
export function signPath({ keyId, signingKey }: SigningKey, path: string): string {
  return `/p/${keyId}.${macOf(signingKey, path)}${path}`;
}

export function refusedUrl(): PackshotError {
  return new PackshotError(
    'invalid_signature',
    'This URL is not valid: it was altered, has expired, or the key that signed it no longer holds.',
  );
}

const macOf = (signingKey: string, path: string): string =>
  createHmac('sha256', signingKey).update(path).digest('base64url');
