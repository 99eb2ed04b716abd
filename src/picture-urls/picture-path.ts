/**
 * The path of a picture's URL: `/p/{signature}/{source}/{recipe}/{options}.{suffix}`. Its signature covers all that
 * follows it. The path holds only characters that RFC 3986 calls unreserved, so proxies and shops leave it unchanged.
 */
import { PackshotError } from 'packshot-errors';
import { type PictureOptions, readOptions, writeOptions } from './picture-options.ts';

/** `auto`: the best format that the caller accepts. */
export const pictureSuffixes = ['jpg', 'png', 'webp', 'avif', 'auto'] as const;
export type PictureSuffix = (typeof pictureSuffixes)[number];

/** A design, or the URL of a photo. */
export type PictureSource = { readonly designId: string } | { readonly url: string };

export interface PictureOrder {
  readonly source: PictureSource;
  /** A recipe, a look, or an illustration (`ill_…`) of the design. */
  readonly recipe: string;
  readonly options: PictureOptions;
  readonly suffix: PictureSuffix;
}

/** Prefix of a source that is a photo's URL, followed by the URL in base64url. */
const URL_PREFIX = 'url_';

/** Returns what is signed: `/{source}/{recipe}/{options}.{suffix}`. */
export function writePath({ source, recipe, options, suffix }: PictureOrder): string {
  const from =
    'url' in source ? URL_PREFIX + Buffer.from(source.url, 'utf8').toString('base64url') : source.designId;
  return `/${from}/${recipe}/${writeOptions(options)}.${suffix}`;
}

/** The inverse of `writePath`. Throws `unknown_path` and `invalid_field`. */
export function readPath(path: string): PictureOrder {
  const [, from, recipe, options, ending] = /^\/([\w-]+)\/([\w-]+)\/([^/]*?)\.([a-z0-9]+)$/.exec(path) ?? [];
  if (!from || !recipe || options === undefined) {
    throw new PackshotError(
      'unknown_path',
      'The path of a picture is /p/{signature}/{design or source}/{recipe}/{options}.{suffix}.',
    );
  }
  const suffix = pictureSuffixes.find((each) => each === ending);
  if (!suffix)
    throw new PackshotError('invalid_field', `The URL must end with .${pictureSuffixes.join(', .')}.`);
  return { source: readSource(from), recipe, options: readOptions(options), suffix };
}

function readSource(text: string): PictureSource {
  if (!text.startsWith(URL_PREFIX)) return { designId: text };
  return { url: Buffer.from(text.slice(URL_PREFIX.length), 'base64url').toString('utf8') };
}
