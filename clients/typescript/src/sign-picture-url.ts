/** Signs the URL of a picture without a call, on a server that holds the signing key. */
import type { PictureSigningKey } from './api-types.ts';

export interface PictureToSign {
  /** Id of a design, or URL of a photo on a host that the service's `SOURCE_HOSTS` lists. */
  readonly source: string;
  /** A recipe, a look, or the illustration (`ill_…`) of a suggested scene. */
  readonly recipe: string;
  /** Values as in the path of the URL, for example `{ ar: '4x5', w: 800, bg: 'f4f1ec' }`. */
  readonly options?: Readonly<Partial<Record<PictureUrlOption, string | number>>>;
  /** `auto`: the best format that the caller accepts. Default `jpg`. */
  readonly suffix?: 'jpg' | 'png' | 'webp' | 'avif' | 'auto';
}

/** In the order in which they stand in the path. */
// biome-ignore format: one option per line says nothing more
const optionNames = [
  'ar', 'w', 'h', 'q', 'margin', 'align', 'scale', 'x', 'y', 'rot',
  'shadow', 'strength', 'soft', 'dir', 'bg', 'shrink', 'match', 'dpr', 'exp',
] as const;
export type PictureUrlOption = (typeof optionNames)[number];

/**
 * Returns the URL. `key` is what `pictureSigningKey()` returns. The service checks the options when the URL is opened,
 * and answers 400 to unknown ones. Needs `crypto.subtle`, which browsers have only on pages loaded over HTTPS.
 */
export async function signPictureUrl(key: PictureSigningKey, picture: PictureToSign): Promise<string> {
  const { source, recipe, options = {}, suffix = 'jpg' } = picture;
  const encoder = new TextEncoder();
  const from = /^https?:/.test(source) ? `url_${toBase64url(encoder.encode(source))}` : source;
  const written = optionNames
    .filter((name) => options[name] !== undefined)
    .map((name) => `${name}_${options[name]}`);
  const path = `/${from}/${recipe}/${written.join('-') || 'picture'}.${suffix}`;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const secret = await crypto.subtle.importKey('raw', encoder.encode(key.signingKey), algorithm, false, [
    'sign',
  ]);
  const mac = await crypto.subtle.sign('HMAC', secret, encoder.encode(path));
  return `${key.base}/p/${key.keyId}.${toBase64url(new Uint8Array(mac))}${path}`;
}

function toBase64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
