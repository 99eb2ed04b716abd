/** API document of the remove.bg interface. */
import { z } from 'zod';
import { binary, failureOf, text, textOr } from './document-parts.ts';

const failureSchema = z
  .object({
    errors: z.array(z.object({ title: z.string(), code: z.string(), detail: z.string().optional() })),
  })
  .meta({ id: 'RemovebgErrors', description: 'Every failure below `/v1.0` has this shape.' });

const anyText = z.string().optional();
const flag = z.boolean().optional();

const pictureFields = {
  image_file_b64: text('The photo as base64; line breaks and a `data:` prefix are fine.'),
  image_url: text('URL of the photo.'),
};

const fields = {
  ...pictureFields,
  size: textOr(
    'preview',
    '`preview` (0.25 megapixels), `medium` (1.5), `hd` (4), `full` (25, as PNG 10), `50MP`, or `auto`: the largest that the credits allow. Never enlarges.',
  ),
  type: textOr('auto', 'What the photo shows, if known: `person`, `product`, `car`, …'),
  type_level: textOr('1', 'Level of detail of `X-Type`: `none`, `1`, `2` or `latest`.'),
  format: textOr(
    'auto',
    '`png`, `jpg`, `webp`, `zip` (`color.jpg` and `alpha.png`), or `auto`: PNG with transparency, else JPEG.',
  ),
  channels: textOr('rgba', '`rgba`, or `alpha` for the matte.'),
  roi: textOr(
    '0% 0% 100% 100%',
    'Left, top, right and bottom of the region to cut out; everything outside is background.',
  ),
  crop: flag.describe('Crops to the subject.'),
  crop_margin: textOr('0', 'Margin around the subject: one, two or four values in `px`, or `%` of its size.'),
  scale: textOr('original', 'Maximum size of the subject, `10%` to `100%` of the picture.'),
  position: textOr('original', '`original`, `center`, or one or two values in `%`.'),
  bg_color: text('Hex of 3, 4, 6 or 8 digits, or a color name.'),
  bg_image_url: text('A picture to put behind the subject.'),
  semitransparency: flag.describe(
    'Whether transparent areas inside the subject stay transparent; default true.',
  ),
  add_shadow: flag.describe('A shadow below cars.'),
  shadow_type: textOr(
    'none',
    '`none`, `auto`, `car`, `3D`, `drop`; `shadow_type[product]` applies to one class.',
  ),
  shadow_opacity: textOr('auto', '0 to 100; `shadow_opacity[product]` applies to one class.'),
};
const files = {
  image_file: binary.optional().describe('The photo.'),
  bg_image_file: binary.optional().describe('A picture to put behind the subject.'),
};

const form = z.object({ ...fields, ...files });
const json = z.object(fields).meta({ id: 'Removebg' });
const remarks = { image_filename: anyText, tag: anyText };

const failure = failureOf(failureSchema);

const cutoutJson = z
  .object({
    data: z.object({
      result_b64: z.string(),
      foreground_top: z.int(),
      foreground_left: z.int(),
      foreground_width: z.int(),
      foreground_height: z.int(),
    }),
  })
  .meta({ id: 'RemovebgResult' });

export const removebg = {
  operationId: 'removebg',
  summary: 'Remove a background, as remove.bg does',
  description:
    'One call with a photo, one picture back. A form, an urlencoded body or JSON; with `Accept: application/json` the picture comes as base64. For differences from remove.bg, see docs/leaving-remove-bg.md.',
  tags: ['Drop-in interfaces'],
  bodies: {
    'multipart/form-data': form,
    'application/x-www-form-urlencoded': z.object(fields),
    'application/json': json,
  },
  response: {
    200: {
      description: 'The picture.',
      content: {
        'image/png': { schema: binary },
        'image/jpeg': { schema: binary },
        'image/webp': { schema: binary },
        'application/zip': { schema: binary },
        'application/json': { schema: cutoutJson },
      },
    },
    default: failure,
  },
};

const credits = z.object({
  total: z.number(),
  subscription: z.number(),
  payg: z.number(),
  enterprise: z.number(),
});

export const account = {
  operationId: 'removebgAccount',
  summary: 'The remaining credits of the key, in the format of remove.bg',
  tags: ['Drop-in interfaces'],
  response: {
    200: z
      .object({
        data: z.object({
          attributes: z.object({ credits, api: z.object({ free_calls: z.number(), sizes: z.string() }) }),
        }),
      })
      .meta({ id: 'RemovebgAccount' }),
    default: failure,
  },
};

export const improve = {
  operationId: 'removebgImprove',
  summary: 'Submit a picture, as to the improvement program of remove.bg',
  description: 'Accepted and discarded: no picture is stored or used for training.',
  tags: ['Drop-in interfaces'],
  bodies: {
    'multipart/form-data': z.object({ ...pictureFields, image_file: files.image_file, ...remarks }),
    'application/x-www-form-urlencoded': z.object({ ...pictureFields, ...remarks }),
    'application/json': z.object({ ...pictureFields, ...remarks }).meta({ id: 'RemovebgImprove' }),
  },
  response: { 200: z.object({ id: z.string() }).meta({ id: 'RemovebgImprovement' }), default: failure },
};
