/** The changes that a caller may make to a recipe in a render call: the schema that the API publishes. */
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import { optional } from '../optional.ts';

const number = (min: number, max: number) => z.number().min(min).max(max).optional();

const primaryIllustration = z
  .strictObject({
    uri: z.string().max(8_192).optional().describe('URI of the illustration at full size.'),
    previewUri: z.string().max(8_192).optional().describe('URI of the illustration at preview size.'),
    source: optional(
      z.enum(['WEB', 'GENERATED', 'LIBRARY', 'UPLOAD']),
      'Origin of the illustration. Informative only: it does not affect what is fetched.',
    ),
  })
  .refine(({ uri, previewUri }) => Boolean(uri || previewUri), {
    error: 'At least one of "uri" and "previewUri" is needed.',
  })
  .meta({
    description: 'The illustration that becomes the backdrop.',
    anyOf: [{ required: ['uri'] }, { required: ['previewUri'] }],
  });

const layout = z
  .strictObject({
    margin: number(0, 0.4).describe(
      "Minimum free border around the product, as a share of the picture's shorter side: 0 to 0.4.",
    ),
    align: optional(
      z.enum(['center', 'baseline']),
      '`center`: in the middle. `baseline`: standing on the ground line. In plain recipes, this line has the same height in all pictures of one aspect ratio.',
    ),
    scale: number(0.1, 1).describe(
      'Size of the product as a share of the largest size that fits inside the margin: 0.1 to 1.',
    ),
    x: number(0, 1).describe(
      "Horizontal position of the product's center: 0 is the left edge, 1 the right edge.",
    ),
    y: number(0, 1).describe(
      "Vertical position of the product's center: 0 is the upper edge, 1 the lower edge. Overrides `align`.",
    ),
    rotate: number(-180, 180).describe('Clockwise rotation of the product in degrees: -180 to 180.'),
    fit: optional(
      z.enum(['pad', 'crop', 'extend']),
      'Only for a photo that is left uncut: how it gets the ratio. `pad` (default): the whole photo on the backdrop. `crop`: its middle. `extend`: the whole photo, whose edge continues.',
    ),
  })
  .describe('Position, size and rotation of the product. It always stays inside the picture.');

const shadow = z
  .strictObject({
    kind: optional(
      z.enum(['none', 'contact', 'cast']),
      '`none`: no shadow. `contact`: dark where the product touches the ground, soft around it. `cast`: like `contact`, plus a soft shadow to the right, away from a light at the left. In scenes, `contact` and `cast` are the same: the light of the scene determines the shadow. On your own backdrop, the direction of the light is estimated from the backdrop, and the shadow of `cast` falls to the opposite side.',
    ),
    strength: number(0, 1).describe(
      'Darkness of the shadow: 0 is none, 1 is a black core. If the recipe has no shadow, set `kind` to `contact` or `cast` as well.',
    ),
    softness: number(0, 1).describe(
      'Softness of the shadow: 0 is hard, 1 is wide and soft; default 0.5. No effect in scenes, whose light decides.',
    ),
    direction: number(-180, 180).describe(
      'Where the shadow of `cast` falls, in degrees: 0 toward the viewer, 90 to the right, -90 to the left, 180 away. Default: 85; on your own backdrop, away from its light. No effect in scenes.',
    ),
  })
  .describe('The shadow under the product.');

const background = z
  .strictObject({
    color: optional(
      z.string().regex(/^#[0-9a-fA-F]{6}$/),
      'sRGB color as #rrggbb: the color of the backdrop in Solid recipes, and of the paper in Surface recipes.',
    ),
  })
  .describe("The backdrop's color.");

const edge = z
  .strictObject({
    shrinkPx: number(0, 4).describe(
      'Shrinks the outline by this many pixels of the full-size picture: 0 to 4. Scaled down for previews.',
    ),
    glass: optional(
      z.enum(['solid', 'auto']),
      'Accepted and ignored: glass keeps what the photo shows in it.',
    ),
  })
  .describe("The product's outline.");

const match = z
  .enum(['none', 'light'])
  .describe(
    "Only in scenes and real places. `light`: within limits, grades the product's own pixels to match the light around it (exposure, white balance, the shadow pattern and the color of bounced light). `none` (default): the product's pixels stay as they are.",
  );

const cutout = z
  .enum(['auto', 'none'])
  .describe(
    '`none`: shows the photo as it is, without a shadow; `layout.fit` says how it gets the ratio. `auto` (default): the product, cut out.',
  );

const logo = z
  .strictObject({
    uri: z
      .string()
      .min(1)
      .max(8_192)
      .describe(
        'URI of a picture that your account uploaded with `POST /v1/illustrations`, best a PNG with transparency.',
      ),
    corner: optional(
      z.enum(['top-left', 'top-right', 'bottom-left', 'bottom-right']),
      'Default: `bottom-right`.',
    ),
    size: number(0.05, 0.5).describe(
      "Width of the logo as a share of the picture's shorter side, 0.05 to 0.5; default 0.18. It is at most half as high, and never enlarged.",
    ),
  })
  .describe(
    'Your logo in a corner of the picture. Not with Listing recipes: marketplaces refuse logos on main images.',
  );

/** Rejects unknown keys at every level. */
export const mutationsSchema = z
  .strictObject({
    images: z.strictObject({ primaryIllustration: primaryIllustration.optional() }).optional(),
    layout: layout.optional(),
    shadow: shadow.optional(),
    background: background.optional(),
    edge: edge.optional(),
    match: match.optional(),
    cutout: cutout.optional(),
    logo: logo.optional(),
  })
  .describe('Changes to the recipe. Send back the mutations of a suggestion, or set the keys yourself.');

export type Mutations = z.infer<typeof mutationsSchema>;

/** The URIs of the illustration, the full size first. An empty one counts as omitted. */
export const listIllustrationUris = ({ images }: Mutations): string[] =>
  [images?.primaryIllustration?.uri, images?.primaryIllustration?.previewUri].filter(
    (uri) => !!uri,
  ) as string[];

/** Merges section by section; values of `over` win. */
export function mergeMutations(base: Mutations, over: Mutations): Mutations {
  const { match = base.match, cutout = base.cutout, ...overs } = over;
  const { match: _match, cutout: _cutout, ...bases } = base;
  const names = [...new Set([...Object.keys(bases), ...Object.keys(overs)])] as (keyof typeof bases)[];
  return {
    ...Object.fromEntries(names.map((name) => [name, { ...bases[name], ...overs[name] }])),
    ...(match && { match }),
    ...(cutout && { cutout }),
  };
}

/** `path` is relative to `/mutations`. */
export function refuseMutation(path: string, detail: string): PackshotError {
  return new PackshotError('invalid_mutation', detail, { pointer: `/mutations/${path}` });
}
