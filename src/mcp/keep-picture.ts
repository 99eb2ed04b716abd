/** A full picture: written to a file by a local server, or the call that fetches it where the server is elsewhere. */
import { z } from 'zod';
import type {
  PackshotClient,
  PictureFormat,
  RenderInput,
} from '../../clients/typescript/src/packshot-client.ts';
import { onlyLocal } from './photo-input.ts';
import type { FileFacts } from './results.ts';
import type { ToolContext } from './tool-context.ts';

export const outputField = ({ files }: ToolContext) =>
  onlyLocal(files, {
    output_path: z
      .string()
      .optional()
      .describe(
        'File to write, below the allowed folders; beside the photo where left out. A taken name gets a number.',
      ),
  });

interface Wish {
  readonly format: PictureFormat;
  /** The full version where left out. */
  readonly size?: 'full' | 'preview';
  readonly input: { readonly path?: string | undefined; readonly output_path?: string | undefined };
  readonly signal: AbortSignal;
}

/** Over HTTP nothing is drawn in full here: the answer names the call that does it. */
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

async function findSize(
  client: PackshotClient,
  { recipeId, variant }: RenderInput,
  size: 'full' | 'preview',
  signal: AbortSignal,
): Promise<{ width?: number; height?: number }> {
  const recipe = (await client.recipes({ signal })).find(({ id }) => id === recipeId);
  return recipe?.canvas[variant as keyof typeof recipe.canvas]?.[size] ?? {};
}
