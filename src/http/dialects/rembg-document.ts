/** API document of rembg's interface. */
import { z } from 'zod';
import { binary, failureOf, text } from './document-parts.ts';

const faultSchema = z.object({
  type: z.string(),
  loc: z.array(z.string()),
  msg: z.string(),
  input: z.unknown(),
  ctx: z.record(z.string(), z.unknown()).optional(),
});
const failureSchema = z.object({ detail: z.union([z.string(), z.array(faultSchema)]) }).meta({
  id: 'RembgError',
  description:
    'Every failure below `/api` and of `/v1/remove-background` has this shape. With status 422, `detail` lists the invalid fields.',
});
export const failure = failureOf(failureSchema);

const fields = {
  model: text(
    'A model name of rembg. The configured engine is used in any case; `X-Packshot-Engine` names it.',
  ),
  a: text('Alpha matting. The parameter has no effect: alpha matting is always applied where useful.'),
  af: text('0 to 255; has no effect.'),
  ab: text('0 to 255; has no effect.'),
  ae: text('0 or more; has no effect.'),
  om: text('Return only the matte.'),
  ppm: text('Make the matte binary, without partial transparency.'),
  bgc: text('`r,g,b,a`, 0 to 255 each.'),
  extras: text("JSON; with `putalpha`, the photo's original colors are kept under the matte."),
};

const common = {
  tags: ['Drop-in interfaces'],
  response: { 200: { description: 'PNG.', content: { 'image/png': { schema: binary } } }, default: failure },
};

export const remove = {
  ...common,
  operationId: 'rembg',
  summary: "Remove a background, as rembg's server does",
  description:
    "The PNG has the photo's own size. `packshot serve --rembg` serves this without a key on a separate port, 7000. Parameters are read from the form or the query.",
  bodies: { 'multipart/form-data': z.object({ file: binary.describe('The photo.'), ...fields }) },
};

export const removeFromUrl = {
  ...common,
  operationId: 'rembgFromUrl',
  summary: "Remove the background of a photo at a URL, as rembg's server does",
  // Only for documentation: the handler itself validates the query, because its errors have rembg's format.
  parameters: z.object({ url: z.string().describe('A public http or https URL.'), ...fields }),
};

export const page = {
  operationId: 'rembgPage',
  summary: 'A page that shows that the server is up',
  tags: ['Drop-in interfaces'],
  response: {
    200: { description: 'The page.', content: { 'text/html': { schema: z.string() } } },
    default: failure,
  },
};
