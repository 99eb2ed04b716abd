/**
 * Delivers a picture: a local server writes it to a file; a remote server describes the HTTP request with which the
 * caller downloads the picture.
 */
import { z } from 'zod';
import type {
  Design,
  PackshotClient,
  PictureFormat,
  RenderInput,
} from '../../clients/typescript/src/packshot-client.ts';
import { optional } from '../optional.ts';
import { onlyLocal } from './photo-input.ts';
import type { FileFacts } from './results.ts';
import type { ToolContext } from './tool-context.ts';

export const outputField = ({ files }: ToolContext) =>
  onlyLocal(files, {
    output_path: optional(
      z.string(),
      'File to write, within the allowed folders; default: beside the photo. A number is appended if the name exists.',
    ),
  });

interface Wish {
  readonly format: PictureFormat;
  /** Default `full`. */
  readonly size?: 'full' | 'preview';
  readonly input: { readonly path?: string | undefined; readonly output_path?: string | undefined };
  readonly signal: AbortSignal;
}

/** In a server over HTTP, nothing is rendered here: the result describes the request that renders the picture. */
export async function keepPicture(
  client: PackshotClient,
  { files, baseUrl }: ToolContext,
  request: RenderInput,
  { format, size = 'full', input: { path, output_path: wanted }, signal }: Wish,
): Promise<FileFacts> {
  const facts = { mimeType: `image/${format}`, ...(await findSize(client, request, size, signal)) };
  if (!files) {
    const name = size === 'full' ? 'generated' : 'preview';
    return { ...facts, method: 'POST', url: `${baseUrl}/v1/design/${name}.${format}`, body: { ...request } };
  }
  const { id, recipeId } = request;
  const ending = `${recipeId}.${format === 'jpeg' ? 'jpg' : format}`;
  const planned = await files.planOutput(wanted, { photo: path, id, ending });
  const draw = size === 'full' ? client.generate : client.preview;
  const picture = await draw(request, { format, signal });
  return { ...facts, path: await files.write(planned, await picture.bytes()) };
}

/** Delivers the cutout at the photo's size; over HTTP, a link to the cutout. */
export async function keepCutout(
  client: PackshotClient,
  { files, baseUrl }: ToolContext,
  { id, image: { width, height } }: Design,
  format: 'png' | 'webp',
  { path, output_path }: { readonly path?: string | undefined; readonly output_path?: string | undefined },
  signal: AbortSignal,
): Promise<FileFacts> {
  const facts = { mimeType: `image/${format}`, width, height };
  if (!files) return { ...facts, method: 'GET', url: `${baseUrl}/v1/design/${id}/cutout.${format}` };
  const planned = await files.planOutput(output_path, { photo: path, id, ending: `cutout.${format}` });
  const picture = await client.cutout(id, { format, signal });
  return { ...facts, path: await files.write(planned, await picture.bytes()) };
}

async function findSize(
  client: PackshotClient,
  { recipeId, variant }: RenderInput,
  size: 'full' | 'preview',
  signal: AbortSignal,
): Promise<{ width?: number; height?: number }> {
  const recipe = (await client.recipes({ signal })).find(({ id }) => id === recipeId);
  return recipe?.canvas[variant as keyof typeof recipe.canvas]?.[size] ?? {};
}
