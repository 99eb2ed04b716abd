/** The JSON of a design, in the responses of uploads, corrections and `GET /v1/design/{id}`, and in events. */
import { photoKindNames, type SubjectFacts } from 'packshot-cutout/service';
import { imageFormats } from 'packshot-photos';
import { z } from 'zod';
import { type Design, listRevisions, type ReadyDesign } from '../designs/design.ts';

const boxSchema = z
  .object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
  .meta({ id: 'Box', description: 'Whole pixels of the photo, from its top left corner.' });

const subjectSchema = z
  .object({
    boundingBox: boxSchema,
    coverage: z.number().min(0).max(1).describe('Fraction of the photo that the product covers.'),
    touchesEdges: z.array(z.enum(['top', 'right', 'bottom', 'left'])).readonly(),
    confidence: z.number().min(0).max(1),
    kind: z
      .object({ name: z.string(), probability: z.number().min(0).max(1) })
      .optional()
      .describe(
        `What the photo shows: ${photoKindNames.map((name) => `\`${name}\``).join(', ')}. Absent for a photo that was left as it is, and for cutouts of an earlier version.`,
      ),
    issues: z.array(z.object({ code: z.string(), detail: z.string(), box: boxSchema.optional() })).readonly(),
    doubtful: z
      .array(
        z.object({
          reason: z
            .enum(['separate_part', 'looks_differ'])
            .describe(
              '`separate_part`: separate from the rest of the cutout. `looks_differ`: two runs of the model disagree whether it is product or background.',
            ),
          box: boxSchema,
          outline: z
            .array(z.array(z.int()).length(2))
            .describe('Corners of its outline, as pairs of x and y in pixels of the photo; closed.'),
          part: z
            .object({ mode: z.enum(['keep', 'erase']), x: z.int(), y: z.int() })
            .describe(
              'Pass it in `parts` of a correction to switch the place between product and background.',
            ),
        }),
      )
      .describe(
        'Places of the cutout to check: separate parts first, then the rest, each group from large to small.',
      ),
  })
  .meta({ id: 'Subject', description: 'The product found in the photo.' });

const productKindSchema = z
  .object({
    kind: z.string().describe("A top-level category of Google's product taxonomy, or `Unknown`."),
    staging: z.string().describe('How the product is placed in scenes, such as `upright-tall` or `garment`.'),
    confidence: z.number().min(0).max(1).describe('1 only if you supplied a hint.'),
    because: z.string().describe('The reason, as text for people.'),
  })
  .meta({ id: 'ProductKind' });

export const designSchema = z
  .object({
    id: z.string(),
    status: z.enum(['processing', 'ready', 'failed']),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe(
        'Moves forward with use, and is never earlier than the retention period after the last use. Null if designs do not expire.',
      ),
    project: z.string().nullable().describe('Name of its project, if it was uploaded with one.'),
    fileName: z.string().nullable().describe('Name of the uploaded file, or the last part of its URL.'),
    image: z.object({
      format: z.enum(imageFormats),
      width: z.int().describe('Pixels, after applying the EXIF orientation.'),
      height: z.int(),
      bytes: z.int(),
      sha256: z.string(),
      colorSpace: z.string(),
      hasAlpha: z.boolean(),
    }),
    subject: subjectSchema.nullable().describe('Null until ready.'),
    productKind: productKindSchema
      .nullable()
      .describe(
        'The recognized kind of product; null until ready, and if too little of the product is visible.',
      ),
    improving: z
      .boolean()
      .describe(
        'True while a better cutout is being made after a quick one. Pictures made from the better cutout have different ETags.',
      ),
    cutout: z
      .object({
        revision: z.int().describe('The revision that all pictures are made from.'),
        undo: z.int().nullable().describe('The revision that `undo` returns to; null for the first one.'),
        revisions: z
          .array(
            z.object({
              revision: z.int(),
              kind: z.enum(['automatic', 'corrected']),
              createdAt: z.iso.datetime(),
            }),
          )
          .describe('All stored revisions, oldest first.'),
      })
      .nullable()
      .describe('Null until ready.')
      .meta({ id: 'CutoutRevisions' }),
    error: z
      .object({ code: z.string(), detail: z.string() })
      .optional()
      .describe('Why cutting out failed; only for failed designs.'),
  })
  .meta({ id: 'Design' });

type DesignAnswer = z.infer<typeof designSchema>;

export function toDesignAnswer(design: Design): DesignAnswer {
  return {
    id: design.id,
    status: design.state,
    createdAt: design.createdAt.toISOString(),
    expiresAt: design.expiresAt?.toISOString() ?? null,
    project: design.origin.project ?? null,
    fileName: design.origin.fileName ?? null,
    image: design.image,
    subject: design.state === 'ready' ? toSubject(design.subject) : null,
    productKind: (design.state === 'ready' && design.product) || null,
    improving: design.state === 'ready' && design.leftOut.length > 0,
    cutout: design.state === 'ready' ? toRevisions(design) : null,
    ...(design.state === 'failed' && { error: design.failure }),
  };
}

const toSubject = ({ doubtful = [], ...facts }: SubjectFacts) => ({
  ...facts,
  doubtful: doubtful.map((place) => ({ ...place, outline: place.outline.map((corner) => [...corner]) })),
});

function toRevisions(design: ReadyDesign) {
  const { current, revisions } = listRevisions(design);
  return {
    revision: current,
    undo: revisions.find(({ revision }) => revision === current)?.base ?? null,
    revisions: revisions.map(({ revision, kind, createdAt }) => ({ revision, kind, createdAt })),
  };
}
