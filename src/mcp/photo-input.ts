/** The photo that a tool works on: four ways to specify it, and the resulting design. */
import { z } from 'zod';
import type { Design, PackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import { optional } from '../optional.ts';
import type { LocalFiles } from './local-files.ts';
import { ToolError } from './results.ts';
import type { ToolContext } from './tool-context.ts';

/** Returns `fields` in a server with local files. In other servers, returns none, so the schema drops these fields. */
export const onlyLocal = <Fields>(files: LocalFiles | undefined, fields: Fields): Fields =>
  files ? fields : ({} as Fields);

/** For tools that start from a photo. */
export const photoFields = ({ files }: ToolContext) => ({
  ...onlyLocal(files, {
    path: optional(
      z.string(),
      `Path of the photo, below ${files?.roots.join(' or ')}. A relative path starts at the first of these folders.`,
    ),
  }),
  url: z
    .url({ protocol: /^https?$/ })
    .describe('Public http(s) URL of the photo; the service fetches it.')
    .optional(),
  base64: z
    .string()
    .describe(
      'The photo itself as base64 (JPEG, PNG, WebP, AVIF, TIFF, GIF or HEIC); a `data:` prefix is allowed.',
    )
    .optional(),
  product_kind: optional(
    z.string().max(100),
    'What the product is, such as "shoes" or "bottle"; by default recognized from its outline.',
  ),
});

/** For tools that also accept a photo from an earlier call. */
export const designFields = (context: ToolContext) => ({
  design_id: optional(
    z.string().max(100),
    'The `designId` of an earlier result, to reuse its photo. Cheaper than sending it again.',
  ),
  ...photoFields(context),
});

type PhotoInput = Partial<z.output<z.ZodObject<ReturnType<typeof designFields>>>>;

/** The design once its cutout is ready. Throws `ToolError`, or the service's `PackshotError`. */
export async function takePhoto(
  client: PackshotClient,
  context: ToolContext,
  input: PhotoInput,
  { signal, takesDesigns = true }: { readonly signal: AbortSignal; readonly takesDesigns?: boolean },
): Promise<Design> {
  const ways = ['design_id', 'path', 'url', 'base64'] as const;
  const given = ways.filter((way) => input[way] !== undefined);
  if (given.length !== 1) {
    const offered = ways.filter((way) =>
      way === 'path' ? context.files : way !== 'design_id' || takesDesigns,
    );
    throw new ToolError(
      `Give exactly one of ${mark(offered).join(', ')}; you gave ${mark(given).join(' and ') || 'none'}.`,
    );
  }
  const id = input.design_id ?? (await upload(client, context, input, signal)).id;
  return client.waitForCutout(id, { signal });
}

async function upload(
  client: PackshotClient,
  { files }: ToolContext,
  { path, url, base64, product_kind: productKind }: PhotoInput,
  signal: AbortSignal,
): Promise<Design> {
  const kind = productKind === undefined ? {} : { productKind };
  if (url !== undefined) return client.uploadFromUrl({ url, ...kind }, { signal });
  if (base64 !== undefined) return client.upload(readBase64(base64), { ...kind, signal });
  const { bytes, name } = await readPath(client, files, path, signal);
  return client.upload(bytes, { name, ...kind, signal });
}

/** Reads a file of at most the size that the service accepts. Throws `ToolError`. */
export async function readPath(
  client: PackshotClient,
  files: LocalFiles | undefined,
  path: string | undefined,
  signal: AbortSignal,
) {
  if (path === undefined || files === undefined) throw new ToolError('This server cannot read files.');
  const { maxBytes } = (await client.limits({ signal })).image;
  return files.readPhoto(path, maxBytes);
}

/** Argument names in backticks, so that they are not read as words of a sentence. */
const mark = (names: readonly string[]): string[] => names.map((name) => `\`${name}\``);

export function readBase64(text: string): Uint8Array<ArrayBuffer> {
  const data = text.replace(/^data:[^,]*,/, '').replace(/\s+/g, '');
  if (data === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(data)) {
    throw new ToolError('The value of `base64` is not valid base64.');
  }
  return new Uint8Array(Buffer.from(data, 'base64'));
}
