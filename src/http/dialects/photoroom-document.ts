/** API document of Photoroom's basic interface. */
import { z } from 'zod';
import { binary, failureOf, text, textOr } from './document-parts.ts';

const failureSchema = z.object({ detail: z.string(), status_code: z.int(), type: z.string() }).meta({
  id: 'SegmentError',
  description: 'Every failure of `/v1/segment` and `/v1/account` has this shape.',
});
const failure = failureOf(failureSchema);

const fields = {
  format: textOr('png', '`png`, `jpg` or `webp`.'),
  channels: textOr('rgba', '`rgba`, or `alpha` for the matte.'),
  bg_color: text('Hex, or the name of a color.'),
  size: textOr('full', '`preview` (0.25 megapixels), `medium` (1.5), `hd` (4) or `full` (36).'),
  crop: z.boolean().optional().describe('Crops to the subject.'),
  despill: z
    .boolean()
    .optional()
    .describe('Has no effect: background color is always removed from the edge.'),
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
    200: z
      .object({ credits: z.object({ available: z.number(), subscription: z.number() }) })
      .meta({ id: 'SegmentAccount' }),
    default: failure,
  },
};
