/** The wire shape of the body of POST /v1/design/{id}/correct. */
import { z } from 'zod';
import { optional } from '../optional.ts';

export const MOST_SHAPES = 100;
export const MOST_POINTS = 20_000;
/** Maximum coordinate, larger than any photo. */
const FAR_PX = 100_000;
/** Names of the form's parts: the mask as a file, and the other fields as JSON. */
export const MASK_FIELD = 'mask';
export const DOCUMENT_FIELD = 'correction';

const coordinate = z.number().min(-FAR_PX).max(FAR_PX);
const length = z.number().min(0).max(FAR_PX);
const mode = z.enum(['keep', 'erase']);
const points = z
  .array(z.array(coordinate).length(2))
  .max(MOST_POINTS)
  .describe('Pairs of x and y, in pixels of the upright photo.');

const documentFields = {
  parts: optional(
    z.array(z.strictObject({ mode, x: coordinate, y: coordinate })).max(MOST_SHAPES),
    'Clicks. `erase` removes the connected part of the cutout at the point; `keep` restores the lost part at the point.',
  ),
  strokes: optional(
    z
      .array(
        z.strictObject({
          mode,
          radius: length,
          points: points.min(1),
          hardness: optional(
            z.number().min(0).max(1),
            'Makes the stroke exact: it changes only the pixels under the brush. 1: hard edge; lower: fades from this share of the radius to the radius.',
          ),
        }),
      )
      .max(MOST_SHAPES),
    'Brush strokes. Each spreads to the edges visible in the photo, unless it has a `hardness`. A stroke with a single point paints a dot.',
  ),
  boxes: optional(
    z
      .array(z.strictObject({ mode, x: coordinate, y: coordinate, width: length, height: length }))
      .max(MOST_SHAPES),
    'Applied exactly as drawn, without spreading.',
  ),
  polygons: optional(
    z.array(z.strictObject({ mode, points: points.min(3) })).max(MOST_SHAPES),
    'Applied exactly as drawn, without spreading.',
  ),
  hint: optional(
    z.strictObject({ x: coordinate, y: coordinate, width: length, height: length }),
    'A box of the photo in which the model runs again, at full resolution. The result replaces the cutout inside the box. Other marks are applied on top.',
  ),
  base: z.int().min(1).optional().describe('The revision to correct; default: the current one.'),
  undo: optional(z.literal(true), 'Returns to the revision before the current one. Must be sent alone.'),
  revision: z.int().min(1).optional().describe('Returns to this revision. Must be sent alone.'),
};

export const correctionBody = z
  .strictObject({
    ...documentFields,
    mask: optional(
      z.string().min(1),
      "A picture of any size with the photo's aspect ratio, as base64 or a data URI: white keeps, black erases, gray and transparent pixels leave the cutout unchanged.",
    ),
  })
  .meta({ id: 'Correction' });

/**
 * This schema is only for the API document. The form itself is read as a stream and validated in correction-body.ts.
 */
export const correctionForm = z.any().meta({
  type: 'object',
  required: [MASK_FIELD],
  properties: {
    [MASK_FIELD]: { type: 'string', format: 'binary', description: 'The mask as a file.' },
    [DOCUMENT_FIELD]: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'The other fields of the JSON body.',
    },
  },
});
