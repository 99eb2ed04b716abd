/** What the API document says of the interface of rembg's server. */
import { z } from 'zod';

const binary = z.any().meta({ type: 'string', format: 'binary' });

const faultSchema = z.object({
  type: z.string(),
  loc: z.array(z.string()),
  msg: z.string(),
  input: z.unknown(),
  ctx: z.record(z.string(), z.unknown()).optional(),
});
const failureSchema = z
  .object({ detail: z.union([z.string(), z.array(faultSchema)]) })
  .meta({ id: 'RembgError', description: 'Every failure below `/api` has this shape; 422 lists fields.' });
const failure = { description: 'A failure.', content: { 'application/json': { schema: failureSchema } } };

const fields = {
  model: z
    .string()
    .optional()
    .describe('A name that rembg knows. The engine that is there answers; `X-Packshot-Engine` names it.'),
  a: z.string().optional().describe('Alpha matting: done here wherever it pays.'),
  af: z.string().optional().describe('0 to 255; of no effect here.'),
  ab: z.string().optional().describe('0 to 255; of no effect here.'),
  ae: z.string().optional().describe('0 or more; of no effect here.'),
  om: z.string().optional().describe('The matte alone.'),
  ppm: z.string().optional().describe('A matte that knows only subject and background.'),
  bgc: z.string().optional().describe('`r,g,b,a`, 0 to 255 each.'),
  extras: z
    .string()
    .optional()
    .describe("JSON; with `putalpha` the photo's own colors stay below the matte."),
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
    "The PNG has the photo's own size. `packshot serve --rembg` answers this without a key on a port of its own, 7000. Parameters are read from the form or the query.",
  bodies: {
    'multipart/form-data': z.object({ file: binary.describe('The photo.'), ...fields }),
  },
};

export const removeFromUrl = {
  ...common,
  operationId: 'rembgFromUrl',
  summary: "Remove the background of a photo at a URL, as rembg's server does",
  // Read by the handler, whose refusals have a shape of their own.
  parameters: z.object({ url: z.string().describe('A public http or https URL.'), ...fields }),
};

export const page = {
  operationId: 'rembgPage',
  summary: 'A page that says that the server is up',
  tags: ['Drop-in interfaces'],
  response: {
    200: { description: 'The page.', content: { 'text/html': { schema: z.string() } } },
    default: failure,
  },
};
