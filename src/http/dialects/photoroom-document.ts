/** API document of Photoroom's interfaces. */
import { z } from 'zod';
import { optional } from '../../optional.ts';
import { binary, failureOf, text, textOr } from './document-parts.ts';

const failureSchema = z.object({ detail: z.string(), status_code: z.int(), type: z.string() }).meta({
  id: 'SegmentError',
  description: 'Every failure of `/v1/segment` has this shape.',
});
const failure = failureOf(failureSchema);
const imageFailure = failureOf(
  failureSchema.extend({ error: z.object({ message: z.string(), detail: z.string() }) }).meta({
    id: 'ImageError',
    description: 'Every failure of `/v1/account` and below `/v2` has this shape.',
  }),
);
const left = z.object({ available: z.number(), subscription: z.number() });

const fields = {
  format: textOr('png', '`png`, `jpg` or `webp`.'),
  channels: textOr('rgba', '`rgba`, or `alpha` for the matte.'),
  bg_color: text('Hex, or the name of a color.'),
  size: textOr('full', '`preview` (0.25 megapixels), `medium` (1.5), `hd` (4) or `full` (36).'),
  crop: z.boolean().optional().describe('Crops to the subject.'),
  keepExistingAlphaChannel: optional(
    z.enum(['never', 'auto']),
    "`auto`: the photo's own transparency is the cutout. Default: `never`.",
  ),
  despill: optional(z.boolean(), 'Has no effect: background color is always removed from the edge.'),
};

export const segment = {
  operationId: 'segment',
  summary: 'Remove a background, as Photoroom does',
  description:
    'One call with a photo, one picture back. With `Accept: application/json` the picture comes as base64. `X-Uncertainty-Score` ranges from 0 (certain) to 1 (a guess).',
  tags: ['Drop-in interfaces'],
  bodies: {
    'multipart/form-data': z.object({ image_file: binary.describe('The photo.'), ...fields }),
    'application/json': z
      .object({ image_file_b64: z.string().describe('The photo as base64.'), ...fields })
      .meta({ id: 'Segment' }),
  },
  response: {
    200: {
      description: 'The picture.',
      content: {
        'image/png': { schema: binary },
        'image/jpeg': { schema: binary },
        'image/webp': { schema: binary },
        'application/json': { schema: z.object({ base64img: z.string() }).meta({ id: 'Segmented' }) },
      },
    },
    default: failure,
  },
};

export const account = {
  operationId: 'segmentAccount',
  summary: 'The remaining credits of the key, in the format of Photoroom',
  tags: ['Drop-in interfaces'],
  response: {
    200: z.object({ credits: left }).meta({ id: 'SegmentAccount' }),
    default: imageFailure,
  },
};

const editFields = {
  imageUrl: text('URL of the photo.'),
  removeBackground: textOr('true', '`false` lays out the whole photo.'),
  keepExistingAlphaChannel: textOr('never', '`auto` keeps a cutout of your own.'),
  'background.color': textOr('transparent', 'Hex, or the name of a color.'),
  'background.imageUrl': text('A picture to put behind the product; it covers the canvas.'),
  outputSize: textOr(
    'auto',
    '`auto` or `originalImage`: the size of the photo. `croppedSubject`, or `WIDTHxHEIGHT`.',
  ),
  padding: textOr(
    '0',
    'Free border, such as `0.1`, `10%` or `100px`; also `paddingTop`, `paddingRight` and so on.',
  ),
  margin: textOr('0', 'Adds to `padding`, in the same form.'),
  scaling: textOr('fit', '`fit` or `fill`.'),
  horizontalAlignment: textOr('center', '`left`, `center` or `right`.'),
  verticalAlignment: textOr('center', '`top`, `center` or `bottom`.'),
  'shadow.mode': text('`ai.soft` or `ai.hard`.'),
  'export.format': textOr('png', '`png`, `jpeg`, `webp` or `avif`.'),
  'export.dpi': text('72 to 1200.'),
  'export.quality': text('1 to 100.'),
};

const edited = {
  description:
    'Cuts the product out and lays it out on a canvas. Fields that would need other work, such as `lighting.mode`, get 400.',
  tags: ['Drop-in interfaces'],
  response: {
    200: {
      description: 'The picture.',
      content: Object.fromEntries(
        ['png', 'jpeg', 'webp', 'avif'].map((format) => [`image/${format}`, { schema: binary }]),
      ),
    },
    default: imageFailure,
  },
};

export const edit = {
  GET: {
    ...edited,
    operationId: 'editFromUrl',
    summary: 'Lay out a product from a URL, as Photoroom does',
    parameters: z.object(editFields),
  },
  POST: {
    ...edited,
    operationId: 'edit',
    summary: 'Lay out a product, as Photoroom does',
    bodies: {
      'multipart/form-data': z.object({ imageFile: binary.optional().describe('The photo.'), ...editFields }),
    },
  },
};

export const imageAccount = {
  operationId: 'imageAccount',
  summary: 'The same, in the format of version 2',
  tags: ['Drop-in interfaces'],
  response: {
    200: z.object({ images: left, plan: z.string() }).meta({ id: 'ImageAccount' }),
    default: imageFailure,
  },
};
